'use strict';

/** What the service uses of undici (the rest is mocks, caches, WebSockets), loaded with its first request and not with the start. */
module.exports = {
  get Agent() {
    return require('undici/lib/dispatcher/agent.js');
  },
  get Client() {
    return require('undici/lib/dispatcher/client.js');
  },
  get Pool() {
    return require('undici/lib/dispatcher/pool.js');
  },
  get buildConnector() {
    return require('undici/lib/core/connect.js');
  },
  get errors() {
    return require('undici/lib/core/errors.js');
  },
  get fetch() {
    return require('undici/lib/web/fetch/index.js').fetch;
  },
};

'use strict';

/** What the service uses of undici: the rest (mocks, caches, WebSockets) would load with every start. */
module.exports = {
  Agent: require('undici/lib/dispatcher/agent.js'),
  Client: require('undici/lib/dispatcher/client.js'),
  Pool: require('undici/lib/dispatcher/pool.js'),
  buildConnector: require('undici/lib/core/connect.js'),
  errors: require('undici/lib/core/errors.js'),
  fetch: (...request) => require('undici/lib/web/fetch/index.js').fetch(...request),
};

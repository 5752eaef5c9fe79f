'use strict';

// The start does not wait for undici: it is loaded with the first request to an upstream.
const load = () => require('undici');

module.exports = {
  get Agent() {
    return load().Agent;
  },
  get Client() {
    return load().Client;
  },
  get Pool() {
    return load().Pool;
  },
  get buildConnector() {
    return load().buildConnector;
  },
  get errors() {
    return load().errors;
  },
  get fetch() {
    return load().fetch;
  },
};

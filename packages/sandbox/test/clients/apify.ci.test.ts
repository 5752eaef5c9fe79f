import { ApifyClient } from 'apify-client';
import { actors, storages } from './apify/operations.js';
import { runBattery } from './support/battery.js';
import { OF_RUNS } from './support/identifier.js';
import { waysTo } from './support/ways.js';

runBattery("Apify's client", {
  ...waysTo(
    'scrapermcp',
    ({ baseUrl, token }) =>
      new ApifyClient({ baseUrl, token, maxRetries: 3, minDelayBetweenRetriesMillis: 1 }),
    { host: 'api', key: 'sandbox-scrapermcp', identifier: OF_RUNS },
  ),
  operations: [...actors, ...storages],
});

import type { KeyUpstream } from '../../upstream.js';
import { adEndpoints } from './ads.js';
import { dialledError, errorBody, notFound } from './api-error.js';
import { companyEndpoints } from './companies.js';
import { createConcurrencyLimit } from './concurrency.js';
import { addEndpoint } from './endpoint.js';
import { groupEndpoints } from './groups.js';
import { jobEndpoints } from './jobs.js';
import { KEY_CHECKS, refuseForeign } from './keys.js';
import { leadEndpoints } from './leads.js';
import { placeEndpoints } from './places.js';
import { postEndpoints } from './posts.js';
import { profileEndpoints } from './profiles.js';
import { addScraper, dialledScraperError } from './scraper.js';
import { addTimetracking, dialledTimetrackingError } from './timetracking.js';
import { createWorld, type World } from './world.js';

const ENDPOINTS = [
  ...profileEndpoints,
  ...companyEndpoints,
  ...jobEndpoints,
  ...leadEndpoints,
  ...postEndpoints,
  ...groupEndpoints,
  ...placeEndpoints,
  ...adEndpoints,
];

const SCRAPER = '/scraper';
const TIMETRACKING = '/timetracking';

/** Data of a professional network, and the two other companies that its connector speaks to. */
export const network: KeyUpstream = {
  id: 'network',
  title: 'Professional-network data',
  key: KEY_CHECKS.network,
  hosts: {
    scraper: { path: SCRAPER, key: KEY_CHECKS.scraper },
    timetracking: { path: TIMETRACKING, key: KEY_CHECKS.timetracking },
  },
  failure(status, _requestId, host) {
    if (host === 'scraper') return dialledScraperError(status);
    return host === 'timetracking' ? dialledTimetrackingError(status) : dialledError(status);
  },
  mount(app, { clock }) {
    let world: World | undefined;
    const getWorld = (): World => {
      world ??= createWorld(clock);
      return world;
    };
    app.setNotFoundHandler((_request, reply) => reply.code(404).send(errorBody(notFound('Route'))));
    app.register(async (scope) => {
      scope.addHook('onRequest', createConcurrencyLimit());
      scope.addHook('preHandler', refuseForeign('network'));
      for (const endpoint of ENDPOINTS) addEndpoint(scope, endpoint, getWorld);
    });
    app.register(async (scope) => {
      scope.addHook('preHandler', refuseForeign('scraper'));
      addScraper(scope, SCRAPER, getWorld);
    });
    app.register(async (scope) => {
      scope.addHook('preHandler', refuseForeign('timetracking'));
      addTimetracking(scope, TIMETRACKING);
    });
    return {
      reset() {
        world = undefined;
      },
    };
  },
};

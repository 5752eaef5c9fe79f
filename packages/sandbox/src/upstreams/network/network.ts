import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyCheck, KeyRefusal } from '../../keys.js';
import type { KeyUpstream } from '../../upstream.js';
import { adEndpoints } from './ads.js';
import { dialledError, errorBody, notFound, queueFull } from './api-error.js';
import { companyEndpoints } from './companies.js';
import { addEndpoint } from './endpoint.js';
import { groupEndpoints } from './groups.js';
import { jobEndpoints } from './jobs.js';
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

/** Companies behind the connector. Each company issues its own API keys. */
type Company = 'network' | 'scraper' | 'timetracking';

const MADE_FOR = /^(?:Bearer )?sandbox-(network|scraper|timetracking)(?![a-z])/i;

const refusing = (body: unknown) => (): KeyRefusal => ({ status: 401, body });

const KEY_CHECKS: Readonly<Record<Company, KeyCheck>> = {
  network: {
    header: 'x-api-key',
    refuse: refusing(errorBody({ status: 401, code: 'Unauthorized', message: 'Invalid API key' })),
  },
  scraper: {
    header: 'authorization',
    scheme: 'Bearer',
    refuse: refusing({
      error: {
        type: 'user-or-token-not-found',
        message: 'User was not found or authentication token is not valid',
      },
    }),
  },
  timetracking: {
    header: 'authorization',
    scheme: 'Bearer',
    refuse: refusing({
      error: 'invalid_token',
      error_description:
        'The access token provided is expired, revoked, malformed or invalid for other reasons.',
    }),
  },
};

/**
 * Rejects a request with another company's credential: in another company's header, or with a key such as
 * `sandbox-scraper-…`. No real service responds like this. Tests use it to detect a secret that was sent to the wrong
 * company.
 */
const refuseForeign =
  (company: Company) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const { header, refuse } = KEY_CHECKS[company];
    const isForeign = ['x-api-key', 'authorization', 'cookie'].some((name) => {
      const value = request.headers[name];
      if (value === undefined) return false;
      return name !== header || (MADE_FOR.exec(String(value))?.[1] ?? company) !== company;
    });
    return isForeign ? reply.code(401).send(refuse(request).body) : undefined;
  };

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

const CONCURRENT = 5;
const QUEUED = 10;

/** Limits concurrent requests per API key. Rejects requests with 429 if the plan's slots and the queue are full. */
function createConcurrencyLimit() {
  const underWay = new Map<string, number>();
  return async ({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const key = String(headers['x-api-key']);
    const count = underWay.get(key) ?? 0;
    if (count >= CONCURRENT + QUEUED) return reply.code(429).send(errorBody(queueFull()));
    underWay.set(key, count + 1);
    reply.raw.once('close', () => underWay.set(key, (underWay.get(key) ?? 1) - 1));
    return undefined;
  };
}

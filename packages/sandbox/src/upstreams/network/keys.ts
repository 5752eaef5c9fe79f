import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyCheck, KeyRefusal } from '../../keys.js';
import { errorBody } from './api-error.js';

/** The three companies behind the connector; each gives out keys of its own. */
export type Company = 'network' | 'scraper' | 'timetracking';

const MADE_FOR = /^(?:Bearer )?sandbox-(network|scraper|timetracking)(?![a-z])/i;

const refuseNetwork = (): KeyRefusal => ({
  status: 401,
  body: errorBody({ status: 401, message: 'Invalid API key' }),
});

const refuseScraper = (): KeyRefusal => ({
  status: 401,
  body: {
    error: {
      type: 'user-or-token-not-found',
      message: 'User was not found or authentication token is not valid',
    },
  },
});

const refuseTimetracking = (): KeyRefusal => ({
  status: 401,
  body: {
    error: 'invalid_token',
    error_description:
      'The access token provided is expired, revoked, malformed or invalid for other reasons.',
  },
});

/** How each company looks for its key. */
export const KEY_CHECKS: Readonly<Record<Company, KeyCheck>> = {
  network: { header: 'x-api-key', refuse: refuseNetwork },
  scraper: { header: 'authorization', scheme: 'Bearer', refuse: refuseScraper },
  timetracking: { header: 'authorization', scheme: 'Bearer', refuse: refuseTimetracking },
};

/**
 * Refuses a request that carries another company's credential: in another company's header, or a key that says whom it is
 * for (`sandbox-scraper-…`). No real service answers so; it is how a test learns that a secret went to the wrong place.
 */
export const refuseForeign =
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

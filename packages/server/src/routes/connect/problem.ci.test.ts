import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { createApp, silent } from '../../../test/support/service/create-app.js';
import {
  COOKIE,
  type Connect,
  createConnect,
  createVerifying,
  textOf,
} from '../../../test/support/service/create-connect.js';
import { ENVIRONMENT_URL } from '../../../test/support/service/create-tenant.js';
import type { Authorize } from '../../authorization/authorize.js';
import { type ErrorCode, ServiceError } from '../../errors.js';
import { addConnectRoutes } from './connect-routes.js';
import { LANGUAGES } from './connect-texts.js';
import { nextTexts, type ProblemName, problemTexts } from './ending-texts.js';
import { chooseLanguage } from './problem.js';

type Reply = Promise<LightMyRequestResponse>;
type Headers = Readonly<Record<string, string>>;

interface Way {
  readonly status: number;
  /** True if the page names the application. */
  readonly hasName: boolean;
  /** Sends the requests that lead to the problem page. Resolves to the response with the page. */
  readonly reach: (connect: Connect, headers: Headers) => Reply;
}

const MINUTE_MS = 60_000;
const OTHER_COOKIE = `__Host-svc-browser=${'c'.repeat(43)}`;

const callback = (parameter: string) => async (connect: Connect, headers: Headers) =>
  connect.open((await connect.approve()).replace(/code=[\w-]+/, parameter), headers);

/**
 * Serves the connect pages of a fake service in which every step of the consent flow rejects with `error`. Tests check
 * the error page.
 */
const failingWith = (error: Error) => async (_connect: Connect, headers: Headers) => {
  const fail = () => Promise.reject(error);
  const authorize: Authorize = {
    describe: fail,
    describeResult: fail,
    cancel: fail,
    begin: fail,
    enterKey: fail,
    complete: fail,
  };
  const callApprovals = { findByLink: fail, decide: fail };
  const app = await createApp((pages) =>
    addConnectRoutes(pages, {
      authorize,
      callApprovals,
      describe: fail,
      environmentUrl: ENVIRONMENT_URL,
      log: silent,
    }),
  );
  return app.inject({ url: '/connect/x', headers });
};

const failure = (code: ErrorCode, reason?: string) =>
  new ServiceError(code, 'Failed.', reason === undefined ? undefined : { reason });

const WAYS: Readonly<Record<ProblemName, Way>> = {
  linkUnknown: { status: 404, hasName: false, reach: ({ open }, headers) => open('/connect/x', headers) },
  approvalUnknown: {
    status: 404,
    hasName: false,
    reach: ({ open }, headers) => open('/approve/x', headers),
  },
  linkExpired: {
    status: 404,
    hasName: true,
    reach: async ({ createLink, clock, open }, headers) => {
      const url = await createLink();
      clock.advance(30 * MINUTE_MS);
      return open(url, headers);
    },
  },
  linkUsed: {
    status: 404,
    hasName: false,
    reach: async ({ createLink, decide, open }, headers) => {
      const url = await createLink();
      await decide(url, 'allow');
      return open(url, { ...headers, cookie: OTHER_COOKIE });
    },
  },
  decidedBefore: { status: 403, hasName: false, reach: failingWith(failure('forbidden', 'used_before')) },
  notVerified: {
    status: 403,
    hasName: true,
    reach: async (_connect, headers) => {
      const { approve, open, clock, expirePendingConsents, storedLinks } = await createVerifying();
      await open(await approve());
      clock.advance(10 * MINUTE_MS);
      await expirePendingConsents();
      const [link] = await storedLinks();
      return open(`/connect/result/${link?.id}`, headers);
    },
  },
  approvalExpired: {
    status: 403,
    hasName: true,
    reach: async ({ approve, clock, open }, headers) => {
      const callback = await approve();
      clock.advance(10 * MINUTE_MS);
      return open(callback, headers);
    },
  },
  approvalOver: {
    status: 403,
    hasName: false,
    reach: ({ open }, headers) => open('/sso/v1/oauth/conn_1/callback?code=x&state=y', headers),
  },
  otherBrowser: {
    status: 403,
    hasName: false,
    reach: async ({ approve, open }, headers) => open(await approve(), { ...headers, cookie: OTHER_COOKIE }),
  },
  otherSite: {
    status: 403,
    hasName: true,
    reach: async ({ createLink, decide }, headers) =>
      decide(await createLink(), 'allow', { ...headers, 'sec-fetch-site': 'cross-site' }),
  },
  otherSiteDecided: {
    status: 403,
    hasName: false,
    reach: ({ decide }, headers) =>
      decide('/approve/x', 'allow', { ...headers, 'sec-fetch-site': 'cross-site' }),
  },
  noCookie: {
    status: 403,
    hasName: true,
    reach: async ({ createLink, decide }, { cookie: _, ...headers }) =>
      decide(await createLink(), 'allow', headers),
  },
  otherPerson: {
    status: 409,
    hasName: true,
    reach: async ({ approve, open }, headers) => {
      await open(await approve('ada', { subject: 'ada' }));
      return open(await approve('ada', { subject: 'bob' }), headers);
    },
  },
  otherIdentifier: {
    status: 403,
    hasName: false,
    reach: async (_connect, headers) => {
      const connect = await createVerifying();
      const reply = await connect.verify(await connect.reachVerification(), 'mallory');
      const { pageUrl } = reply.json().error.details;
      return connect.open(pageUrl.slice(ENVIRONMENT_URL.length), headers);
    },
  },
  notAllowed: { status: 403, hasName: true, reach: callback('error=access_denied') },
  refusedByAdministrator: { status: 403, hasName: true, reach: callback('error=it_said_no') },
  administratorConsent: { status: 403, hasName: true, reach: callback('error=ask_it') },
  administratorReturned: {
    status: 403,
    hasName: false,
    reach: ({ open }, headers) => open('/sso/v1/oauth/conn_1/callback?it_agreed=True&tenant=x', headers),
  },
  invalidScope: { status: 403, hasName: true, reach: callback('error=invalid_scope') },
  clientNotAllowed: { status: 403, hasName: true, reach: callback('error=unauthorized_client') },
  upstreamBusy: { status: 403, hasName: true, reach: callback('error=server_error') },
  upstreamRefused: { status: 403, hasName: true, reach: callback('code=of-somebody-else') },
  upstreamAway: {
    status: 503,
    hasName: false,
    reach: failingWith(failure('unavailable', 'upstream_unavailable')),
  },
  upstreamLeft: {
    status: 503,
    hasName: true,
    reach: async ({ approve, open, upstream }, headers) => {
      const callback = await approve();
      upstream.script(() => ({ status: 503, body: {} }));
      return open(callback, headers);
    },
  },
  changed: {
    status: 409,
    hasName: true,
    reach: async ({ approve, open, database }, headers) => {
      const callback = await approve();
      await database.updateTable('connections').set({ clientId: 'other' }).execute();
      return open(callback, headers);
    },
  },
  notSetUp: {
    status: 409,
    hasName: true,
    reach: async ({ createLink, decide, database }, headers) => {
      const url = await createLink();
      await database.updateTable('connections').set({ clientId: null }).execute();
      return decide(url, 'allow', { ...headers });
    },
  },
  tooManyKeys: { status: 429, hasName: false, reach: failingWith(failure('rate_limited', 'keys_refused')) },
  tooMany: { status: 429, hasName: false, reach: failingWith(failure('rate_limited')) },
  away: { status: 503, hasName: false, reach: failingWith(failure('unavailable')) },
  failed: { status: 500, hasName: false, reach: failingWith(new Error('secret of a fault')) },
};

const PAGES = LANGUAGES.flatMap((language) =>
  (Object.keys(problemTexts) as ProblemName[]).map((name) => ({ language, name, ...WAYS[name] })),
);

describe('a problem page', () => {
  test.each(PAGES)(
    'explains the problem, the next step and the request id: $name, $language',
    async ({ language, name, status, hasName, reach }) => {
      const reply = await reach(await createConnect(), { ...COOKIE, 'accept-language': language });
      expect(reply.statusCode).toBe(status);
      expect(reply.headers).toMatchObject({ vary: 'Accept-Language', 'cache-control': 'no-store' });
      const { title, what, next } = problemTexts[name];
      const advice = nextTexts[next][hasName ? 'withName' : 'withoutName'][language];
      const withName = (text: string) =>
        text
          .replaceAll('{application}', 'Acme Notes')
          .replaceAll('{service}', 'Mail')
          .replaceAll('{identifier}', 'ada');
      const text = textOf(reply.body);
      for (const said of [title[language], what[language], advice]) expect(text).toContain(withName(said));
      expect(reply.body).toContain(`<html lang="${language}">`);
      expect(text).toContain(String(reply.headers['svc-request-id']));
      expect(/<a href="\??">/.test(reply.body)).toBe(['tryAgain', 'thenTryAgain'].includes(next));
      expect(text).not.toContain('secret of a fault');
    },
  );
});

test('the problem page tells developers which settings to set', async () => {
  const { body } = await WAYS.notSetUp.reach(await createConnect(), COOKIE);
  expect(textOf(body)).toContain('has no client id. Set clientId and clientSecret with PATCH');
});

test('the page of a failed database says that the site is not available', async () => {
  const reach = failingWith(failure('unavailable', 'storage'));
  const { body } = await reach(await createConnect(), COOKIE);
  expect(textOf(body)).toContain('This site is not available at the moment');
});

test('an unexpected error is logged with the request id of the page', async () => {
  const faults: unknown[] = [];
  const error = new Error('a fault');
  const fail = () => Promise.reject(error);
  const app = await createApp((pages) =>
    addConnectRoutes(pages, {
      authorize: {
        describe: fail,
        describeResult: fail,
        cancel: fail,
        begin: fail,
        enterKey: fail,
        complete: fail,
      },
      callApprovals: { findByLink: fail, decide: fail },
      describe: fail,
      environmentUrl: ENVIRONMENT_URL,
      log: { fault: (...fault) => faults.push(fault) },
    }),
  );
  const { body } = await app.inject({ url: '/connect/x' });
  expect(faults).toEqual([
    [
      'a request failed with an unexpected error; report this line to the developers of the service',
      error,
      { requestId: expect.any(String), route: '/connect/:token' },
    ],
  ]);
  expect(body).toContain(JSON.parse(JSON.stringify(faults))[0][2].requestId);
});

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE-de;q=0.9', 'de'],
  ['fr', 'en'],
  ['fr, de;q=0.1', 'de'],
  ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'en'],
  ['de;q=0.8,en;q=0.9', 'en'],
  ['de,en', 'de'],
  ['en,de', 'en'],
  ['de;q=0', 'en'],
  ['de;q=0, en;q=0', 'en'],
  ['*', 'en'],
  ['*;q=0.2, de;q=0.1', 'en'],
  ['de ; level=1 ; Q=0.3', 'de'],
  ['de;q=2', 'en'],
  ['de;q=-1', 'en'],
  ['de;q=much', 'en'],
  ['den', 'en'],
  [',;,;;q=,-,de', 'de'],
  ['__proto__, constructor', 'en'],
])('the language for %j is %s', (header, language) => {
  expect(chooseLanguage(header, ['en', 'de'])).toBe(language);
});

test('only the beginning of Accept-Language is read', () => {
  expect(chooseLanguage(`${'x,'.repeat(99)}de`, ['en', 'de'])).toBe('de');
  expect(chooseLanguage(`${'x,'.repeat(100)}de`, ['en', 'de'])).toBe('en');
  expect(chooseLanguage(`${' '.repeat(1000)}de`, ['en', 'de'])).toBe('en');
});

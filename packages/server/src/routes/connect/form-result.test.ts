import { describe, expect, test } from 'vitest';
import { COOKIE, createConnect, textOf } from '../../../test/support/service/create-connect.js';
import { type ErrorCode, ServiceError } from '../../errors.js';
import { readResult, resultOf } from './form-result.js';

const failure = (code: ErrorCode, reason?: string) =>
  new ServiceError(code, 'Failed.', reason === undefined ? undefined : { reason });

test.each([
  { error: failure('forbidden', 'no_cookie'), result: 'no_cookie' },
  { error: failure('rate_limited', 'keys_refused'), result: 'keys_refused' },
  { error: failure('unavailable', 'upstream_unavailable'), result: 'upstream_unavailable' },
  { error: failure('unavailable', 'storage'), result: 'unavailable' },
  { error: failure('not_found', 'link_expired'), result: '' },
])(
  'a form that fails with $error.code redirects to its page with the result "$result"',
  ({ error, result }) => {
    expect(resultOf(error)).toBe(result);
  },
);

test.each([failure('connection_not_configured'), failure('forbidden', 'expired')])(
  'a failure that needs the request number of its own response is no result of a form: %s',
  (error) => {
    expect(() => resultOf(error)).toThrow(error);
  },
);

test.each([undefined, '', 'unknown', '__proto__', ['refused'], { refused: 'refused' }])(
  'an unknown result in the query is ignored: %j',
  (result) => {
    expect(readResult(result)).toEqual({ isCancelled: false, problem: undefined, failure: undefined });
  },
);

describe('the page of a link', () => {
  test('shows that the upstream does not respond, and its retry leads back to the question', async () => {
    const { createLink, open } = await createConnect();
    const link = await createLink();
    const { body, statusCode, headers } = await open(`${link}?after=upstream_unavailable`);
    expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
    expect(textOf(body)).toContain('The service does not respond');
    expect(body).toContain('<a href="?">Try again</a>');
  });

  test('shows how the link ended instead of an earlier result of its form', async () => {
    const { createLink, decide, open, upstream } = await createConnect();
    const link = await createLink();
    const { headers } = await decide(link, 'allow');
    const callback = upstream.approve(String(headers.location));
    await open(`${callback.pathname}${callback.search}`);
    for (const result of ['cancelled', 'unavailable', 'no_cookie']) {
      const reply = await open(`${link}?after=${result}`, COOKIE);
      expect(reply.headers.location).toContain('/connect/result/');
    }
  });

  test('does not show an earlier cancellation while the consent continues at the upstream', async () => {
    const { createLink, decide, open } = await createConnect();
    const link = await createLink();
    const shown = async () => textOf((await open(`${link}?after=cancelled`, COOKIE)).body);
    expect(await shown()).toContain('You cancelled');
    await decide(link, 'allow');
    expect(await shown()).not.toContain('You cancelled');
  });

  test('shows no problem of a key if the upstream uses OAuth', async () => {
    const { createLink, open } = await createConnect();
    const { body, statusCode } = await open(`${await createLink()}?after=refused`);
    expect(statusCode).toBe(200);
    expect(body).not.toContain('role="alert"');
  });

  test('redirects after a cancelled and a refused form, because a browser cannot go back to its response', async () => {
    const { app, createLink } = await createConnect();
    const forms = [
      { headers: COOKIE, error: undefined },
      { headers: {}, error: 'forbidden' },
      { headers: { ...COOKIE, 'sec-fetch-site': 'cross-site' }, error: 'forbidden' },
    ];
    for (const { headers, error } of forms) {
      const url = await createLink();
      const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
      const reply = await app.inject({
        method: 'POST',
        url,
        headers: form,
        payload: 'decision=deny',
      });
      expect([reply.statusCode, reply.headers['svc-error']]).toEqual([303, error]);
    }
  });
});

import { expect, test } from 'vitest';
import { createDiscovered } from '../../test/support/service/create-discovered.js';

const ISSUER = 'https://auth.mail.example';
const MINUTE_MS = 60_000;
const CANARY = 'canary of a stranger';

/**
 * Test cases for the issuer in an authorization response (RFC 9207). `announced`: the server metadata promises the
 * parameter `iss`. `iss`: its value in the callback, if any.
 */
const ROWS = [
  { announced: true, iss: ISSUER, accepted: true },
  { announced: true, iss: undefined, accepted: false },
  { announced: false, iss: ISSUER, accepted: true },
  { announced: false, iss: undefined, accepted: true },
  { announced: true, iss: 'https://evil.example.com', accepted: false },
  { announced: false, iss: 'https://evil.example.com', accepted: false },
  { announced: false, iss: `${ISSUER}/`, accepted: false },
  { announced: false, iss: 'https://AUTH.mail.example', accepted: false },
  { announced: false, iss: 'https://auth.mail.example:443', accepted: false },
  { announced: false, iss: '', accepted: false },
  { announced: true, iss: '', accepted: false },
] as const;

test.each(ROWS)(
  'O11: with iss announced ($announced), "$iss" in the callback is accepted: $accepted',
  async ({ announced, iss, accepted }) => {
    const { begin, complete, said, upstream, account } = await createDiscovered();
    said.metadata = { authorization_response_iss_parameter_supported: announced };
    const callback = upstream.approve((await begin('ada')).redirectTo);
    if (iss !== undefined) callback.searchParams.set('iss', iss);
    const outcome = await complete(callback).then(
      () => true,
      ({ code }: { code: string }) => code,
    );
    expect(outcome).toBe(accepted ? true : 'forbidden');
    expect(upstream.tokenRequests()).toHaveLength(accepted ? 1 : 0);
    expect(await account('ada')).toMatchObject({ status: accepted ? 'authorized' : 'unauthorized' });
  },
);

test.each([
  { title: 'that differs', announced: false, iss: 'https://evil.example.com' },
  { title: 'that is missing', announced: true, iss: undefined },
])('O11: an error with an issuer $title is neither shown nor stored', async ({ announced, iss }) => {
  const { begin, complete, said, upstream, database } = await createDiscovered();
  said.metadata = { authorization_response_iss_parameter_supported: announced };
  const callback = upstream.deny((await begin('ada')).redirectTo);
  callback.searchParams.set('error', CANARY);
  callback.searchParams.set('error_description', CANARY);
  callback.searchParams.set('error_uri', `https://evil.example.com/?${CANARY}`);
  if (iss !== undefined) callback.searchParams.set('iss', iss);
  const error: unknown = await complete(callback).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'forbidden',
    message: expect.stringMatching(/^The authorization server did not complete the consent\./),
  });
  const stored = [
    await database.selectFrom('accounts').selectAll().execute(),
    await database.selectFrom('authorizationFlows').selectAll().execute(),
    await database.selectFrom('auditEvents').selectAll().execute(),
  ];
  expect(JSON.stringify([error, stored])).not.toContain(CANARY);
});

test('O12: a discovered server that changes its token endpoint during the consent gets no code', async () => {
  const { begin, complete, said, upstream, clock, discoveries } = await createDiscovered();
  await begin('somebody before');
  clock.advance(59 * MINUTE_MS);
  const callback = upstream.approve((await begin('ada')).redirectTo);
  said.metadata = { token_endpoint: `${upstream.origin}/elsewhere` };
  clock.advance(2 * MINUTE_MS);
  await expect(complete(callback)).rejects.toMatchObject({ code: 'conflict' });
  expect(discoveries()).toBe(2);
  expect(upstream.requests).toEqual([]);
});

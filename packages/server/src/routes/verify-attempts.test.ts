import { describe, expect, test } from 'vitest';
import { createVerifying } from '../../test/support/service/create-connect.js';
import { addApplication } from '../../test/support/service/service-parts.js';

const MINUTE_MS = 60_000;

describe('O5: a verification', () => {
  test('succeeds once in 100 simultaneous requests', async () => {
    const connect = await createVerifying();
    const authRequestId = await connect.reachVerification();
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => connect.verify(authRequestId, 'ada')),
    );
    const statuses = replies.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(99);
    expect((await connect.row('ada')).version).toBe(2);
  });

  test('cannot be repeated with the correct identifier after a failure', async () => {
    const connect = await createVerifying();
    const authRequestId = await connect.reachVerification();
    await connect.verify(authRequestId, 'mallory');
    expect((await connect.verify(authRequestId, 'ada')).statusCode).toBe(404);
    expect(await connect.account('ada')).toMatchObject({ status: 'unauthorized' });
  });

  test.each([
    { title: 'is possible for 10 minutes', ms: 10 * MINUTE_MS - 1, status: 200 },
    { title: 'expires after 10 minutes', ms: 10 * MINUTE_MS, status: 404 },
  ])('$title', async ({ ms, status }) => {
    const connect = await createVerifying();
    const authRequestId = await connect.reachVerification();
    connect.clock.advance(ms);
    expect((await connect.verify(authRequestId, 'ada')).statusCode).toBe(status);
  });

  test('revokes its tokens and keeps the account unchanged when it expires', async () => {
    const connect = await createVerifying();
    await connect.reachVerification();
    await connect.expirePendingConsents();
    expect(await connect.pendingRows()).toHaveLength(1);
    connect.clock.advance(10 * MINUTE_MS);
    await connect.expirePendingConsents();
    expect(await connect.pendingRows()).toEqual([]);
    expect(connect.revocations()).toEqual([expect.stringMatching(/^refresh-ada-/)]);
    expect(await connect.account('ada')).toMatchObject({ status: 'unauthorized' });
  });

  test('treats another application like an unknown id and keeps its attempt', async () => {
    const connect = await createVerifying();
    const other = await addApplication(connect, 'Other');
    const authRequestId = await connect.reachVerification();
    const foreign = await connect.verify(authRequestId, 'ada', other);
    const unknown = await connect.verify('x'.repeat(43), 'ada', other);
    const visible = ({ statusCode, json, headers }: typeof foreign) => {
      const { error } = json<{ error: object }>();
      const { date: _, 'svc-request-id': __, 'content-length': ___, ...rest } = headers;
      return { statusCode, error: { ...error, requestId: '' }, rest };
    };
    expect(visible(foreign)).toEqual(visible(unknown));
    expect(foreign.statusCode).toBe(404);
    expect((await connect.verify(authRequestId, 'ada')).statusCode).toBe(200);
  });

  test('is deleted with its connection and tokens', async () => {
    const connect = await createVerifying();
    const authRequestId = await connect.reachVerification();
    await connect.connections.delete(connect.applicationId, 'mail');
    expect((await connect.verify(authRequestId, 'ada')).statusCode).toBe(404);
    expect(await connect.pendingRows()).toEqual([]);
    expect(connect.revocations()).toHaveLength(1);
  });

  test('leaves the account unusable until it succeeds', async () => {
    const connect = await createVerifying();
    const { resolve, applicationId, accounts } = connect;
    await connect.reachVerification('pending');
    const unauthorized = await accounts.getOrCreate(applicationId, {
      connectionName: 'mail',
      identifier: 'nobody',
    });
    const refusal = async (identifier: string, id: string) =>
      (
        await Promise.allSettled([
          resolve.byName(applicationId, { connectionName: 'mail', identifier }),
          resolve.byId(applicationId, id),
        ])
      ).map((outcome) => (outcome.status === 'rejected' ? outcome.reason : outcome.value));
    const expected = { code: 'account_not_authorized', status: 409 };
    const path = (identifier: string) => ({
      ...expected,
      details: expect.objectContaining({
        authorizationLinkPath: `/v1/connections/mail/accounts/${identifier}/authorization-link`,
      }),
    });
    expect(await refusal('pending', (await connect.row('pending')).id)).toMatchObject([
      path('pending'),
      path('pending'),
    ]);
    expect(await refusal('nobody', unauthorized.account.id)).toMatchObject([path('nobody'), path('nobody')]);
  });

  test.each([
    { title: 'a missing body', payload: undefined },
    { title: 'a missing identifier', payload: { authRequestId: 'x'.repeat(43) } },
    { title: 'a list of ids', payload: { authRequestId: ['x'], identifier: 'ada' } },
    {
      title: 'an additional field',
      payload: { authRequestId: 'x', identifier: 'ada', status: 'authorized' },
    },
  ])('refuses a request with $title', async ({ payload }) => {
    const { app } = await createVerifying();
    const reply = await app.inject({
      method: 'POST',
      url: '/v1/accounts/verify',
      ...(payload && { payload }),
    });
    expect(reply.statusCode).toBe(400);
  });
});

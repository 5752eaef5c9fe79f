import { describe, expect, test } from 'vitest';
import { createVerifying } from '../../test/support/create-connect.js';
import { addApplication } from '../../test/support/service-parts.js';

const MINUTE_MS = 60_000;

describe('O5: a verification', () => {
  test('is tried once: of 100 at the same time one connects', async () => {
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

  test('that failed cannot be tried again with the right identifier', async () => {
    const connect = await createVerifying();
    const authRequestId = await connect.reachVerification();
    await connect.verify(authRequestId, 'mallory');
    expect((await connect.verify(authRequestId, 'ada')).statusCode).toBe(404);
    expect(await connect.account('ada')).toMatchObject({ status: 'unauthorized' });
  });

  test.each([
    { title: 'is possible for 10 minutes', ms: 10 * MINUTE_MS - 1, status: 200 },
    { title: 'is over after 10 minutes', ms: 10 * MINUTE_MS, status: 404 },
  ])('$title', async ({ ms, status }) => {
    const connect = await createVerifying();
    const authRequestId = await connect.reachVerification();
    connect.clock.advance(ms);
    expect((await connect.verify(authRequestId, 'ada')).statusCode).toBe(status);
  });

  test('that nobody asked for in time ends with its tokens revoked and the account as it was', async () => {
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

  test('by another application is answered like an unknown id, and takes no attempt from the right one', async () => {
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

  test('is gone with its connection, and its tokens with it', async () => {
    const connect = await createVerifying();
    const authRequestId = await connect.reachVerification();
    await connect.connections.delete(connect.applicationId, 'mail');
    expect((await connect.verify(authRequestId, 'ada')).statusCode).toBe(404);
    expect(await connect.pendingRows()).toEqual([]);
    expect(connect.revocations()).toHaveLength(1);
  });

  test('leaves the account as unusable as one that nobody has approved', async () => {
    const connect = await createVerifying();
    const { resolve, applicationId, accounts } = connect;
    await connect.reachVerification('pending');
    const unauthorized = await accounts.getOrCreate(applicationId, {
      connectionName: 'mail',
      identifier: 'nobody',
    });
    const refusal = async (identifier: string, id: string) =>
      Promise.all([
        resolve.byIdentifier(applicationId, 'mail', identifier).catch((error: unknown) => error),
        resolve.byId(applicationId, id).catch((error: unknown) => error),
      ]);
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
    { title: 'no body', payload: undefined },
    { title: 'no identifier', payload: { authRequestId: 'x'.repeat(43) } },
    { title: 'a list of ids', payload: { authRequestId: ['x'], identifier: 'ada' } },
    { title: 'another field', payload: { authRequestId: 'x', identifier: 'ada', status: 'authorized' } },
  ])('takes an id and an identifier: $title is refused', async ({ payload }) => {
    const { app } = await createVerifying();
    const reply = await app.inject({
      method: 'POST',
      url: '/v1/accounts/verify',
      ...(payload && { payload }),
    });
    expect(reply.statusCode).toBe(400);
  });
});

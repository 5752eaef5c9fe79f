import { describe, expect, test } from 'vitest';
import { createConnect, createVerifying, VERIFY_URL } from '../../test/support/service/create-connect.js';

const MINUTE_MS = 60_000;

describe('O4: an application with a verify URL', () => {
  test('gets the browser with an id by a redirect that is not cached', async () => {
    const { open, approve } = await createVerifying();
    const reply = await open(await approve());
    expect(reply.statusCode).toBe(303);
    expect(reply.headers.location).toMatch(
      /^https:\/\/acme\.example\.com\/connected\?from=svc&auth_request_id=[\w-]{43}$/,
    );
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  });

  test('has its pending tokens stored encrypted, and the id hashed', async () => {
    const connect = await createVerifying();
    const authRequestId = await connect.reachVerification();
    expect(await connect.row('ada')).toMatchObject({
      status: 'pending_verification',
      accessToken: null,
      refreshToken: null,
    });
    expect(JSON.stringify(await connect.pendingRows())).not.toMatch(
      new RegExp(`${authRequestId}|access-ada|refresh-ada`),
    );
    expect(await connect.pendingRows()).toHaveLength(1);
  });

  test('authorizes the account with the identifier of the link and gets the account', async () => {
    const connect = await createVerifying();
    const reply = await connect.verify(await connect.reachVerification(), 'ada');
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual(await connect.account('ada'));
    expect(reply.json()).toMatchObject({ identifier: 'ada', status: 'authorized', scopes: ['read'] });
    const resolved = await connect.resolve.byName(connect.applicationId, {
      connectionName: 'mail',
      identifier: 'ada',
    });
    expect((await connect.credentials.current(resolved)).secret.reveal()).toMatch(/^access-ada-/);
    expect(await connect.pendingRows()).toEqual([]);
  });

  test('gets the lifetime of a token from its arrival, not from the verification', async () => {
    const connect = await createVerifying();
    const authRequestId = await connect.reachVerification();
    const came = connect.now();
    connect.clock.advance(5 * MINUTE_MS);
    await connect.verify(authRequestId, 'ada');
    expect(await connect.row('ada')).toMatchObject({ issuedAt: came, expiresAt: came + 60 * MINUTE_MS });
  });

  test('revokes and deletes the tokens with another identifier, and gets an error', async () => {
    const connect = await createVerifying();
    const reply = await connect.verify(await connect.reachVerification(), 'mallory');
    expect([reply.statusCode, reply.headers['svc-error']]).toEqual([403, 'verification_failed']);
    expect(connect.revocations()).toEqual([expect.stringMatching(/^refresh-ada-/)]);
    expect(await connect.pendingRows()).toEqual([]);
    expect(await connect.account('ada')).toMatchObject({ status: 'unauthorized' });
  });

  test('deletes the tokens even when the upstream does not respond', async () => {
    const connect = await createVerifying();
    const authRequestId = await connect.reachVerification();
    connect.upstream.script(() => 'reset');
    expect((await connect.verify(authRequestId, 'mallory')).statusCode).toBe(403);
    expect(await connect.pendingRows()).toEqual([]);
  });

  test('keeps a working account unchanged while another consent waits', async () => {
    const connect = await createVerifying();
    await connect.verify(await connect.reachVerification(), 'ada');
    const before = await connect.row('ada');
    const refused = await connect.reachVerification();
    expect(await connect.row('ada')).toEqual(before);
    await connect.verify(refused, 'mallory');
    expect(await connect.row('ada')).toEqual(before);
    await connect.verify(await connect.reachVerification(), 'ada');
    expect((await connect.row('ada')).version).toBe(before.version + 1);
  });

  test('deletes refused tokens without a revocation when another account uses the same grant', async () => {
    const connect = await createVerifying();
    await connect.verify(await connect.reachVerification('victim'), 'victim');
    const stolen = await connect.reachVerification('attacker', { subject: 'victim' });
    expect((await connect.verify(stolen, 'victim')).statusCode).toBe(403);
    expect(connect.revocations()).toEqual([]);
    expect(await connect.pendingRows()).toEqual([]);
  });

  test('verifies in production too', async () => {
    const connect = await createVerifying({ application: { production: 1, verifyUrl: VERIFY_URL } });
    const authRequestId = await connect.reachVerification();
    expect(await connect.account('ada')).toMatchObject({ status: 'pending_verification' });
    expect((await connect.verify(authRequestId, 'ada')).statusCode).toBe(200);
  });

  test('loses a running consent when its verify URL is removed in production', async () => {
    const connect = await createVerifying({ application: { production: 1, verifyUrl: VERIFY_URL } });
    const callback = await connect.approve();
    await connect.storage.applications.update(connect.applicationId, { verifyUrl: null });
    expect((await connect.open(callback)).headers['svc-error']).toBe('application_not_configured');
    expect(await connect.account('ada')).toMatchObject({ status: 'unauthorized' });
    expect(connect.revocations()).toHaveLength(1);
  });
});

describe('O6: an application in production without a verify URL', () => {
  test('gets an error with the setting instead of a link', async () => {
    const connect = await createConnect({ application: { production: 1 } });
    const link = connect.createLink();
    await expect(link).rejects.toMatchObject({
      code: 'application_not_configured',
      message:
        'The application "Acme Notes" is marked production but has no verify URL, so the service cannot confirm which user consented. Ask an operator to set the verify URL of the application.',
    });
    expect(await connect.database.selectFrom('accounts').selectAll().execute()).toEqual([]);
  });

  test('cannot use a link that was created before', async () => {
    const connect = await createConnect();
    const url = await connect.createLink();
    await connect.storage.applications.update(connect.applicationId, { production: 1 });
    expect((await connect.open(url)).statusCode).toBe(409);
    expect((await connect.decide(url, 'allow')).statusCode).toBe(409);
    expect(await connect.database.selectFrom('authorizationFlows').selectAll().execute()).toEqual([]);
  });
});

describe('O8: a verification', () => {
  test('does not replace a known upstream user', async () => {
    const connect = await createVerifying();
    await connect.verify(await connect.reachVerification('ada', { subject: 'ada' }), 'ada');
    const before = await connect.row('ada');
    const reply = await connect.open(await connect.approve('ada', { subject: 'bob' }));
    expect(reply.statusCode).toBe(409);
    expect(await connect.row('ada')).toEqual(before);
    expect(connect.revocations()).toEqual([expect.stringMatching(/^refresh-bob-/)]);
  });

  test('is refused when the account got another user in the meantime', async () => {
    const connect = await createVerifying();
    const first = await connect.reachVerification('ada', { subject: 'ada' });
    const second = await connect.reachVerification('ada', { subject: 'bob' });
    expect((await connect.verify(first, 'ada')).statusCode).toBe(200);
    const reply = await connect.verify(second, 'ada');
    expect([reply.statusCode, reply.headers['svc-error']]).toEqual([409, 'conflict']);
    expect((await connect.row('ada')).subject).toBe('ada');
    expect(await connect.pendingRows()).toEqual([]);
  });
});

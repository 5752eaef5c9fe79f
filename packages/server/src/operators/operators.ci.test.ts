import { expect, test } from 'vitest';
import { readTables } from '../../test/support/databases/read-tables.js';
import { createTenant } from '../../test/support/service/create-tenant.js';

const ADDRESS = '192.0.2.1';

async function createOperators() {
  const tenant = await createTenant();
  const { operators, operatorSessions, operatorSignIn, storage } = tenant;
  const signIn = (name: string, password: string, address = ADDRESS) =>
    operatorSignIn.byPassword({ name, password, address });
  const events = async () => {
    const all = await storage.auditEvents.list({ limit: 100 });
    return all.filter(({ action }) => action.startsWith('operator.'));
  };
  return { ...tenant, operators, operatorSessions, signIn, events };
}

const UNAUTHORIZED = {
  code: 'unauthorized',
  message: 'The name or the password is wrong. Correct them, or ask an owner for a sign-in link.',
};

test('the first operator is created once, with a random or a given password', async () => {
  const { operators, signIn } = await createOperators();
  const first = await operators.createFirst({});
  expect(first?.name).toBe('admin');
  expect(await operators.createFirst({})).toBeUndefined();
  expect(await signIn('admin', first?.password ?? '')).toMatchObject({ name: 'admin' });

  const other = await createOperators();
  await other.operators.createFirst({ password: 'chosen-by-script' });
  expect(await other.signIn('Admin', 'chosen-by-script')).toMatchObject({ name: 'admin' });
});

test('operator names are unique, case-insensitive and plain', async () => {
  const { operators } = await createOperators();
  await operators.create('Ada@example.com', 'owner');
  await expect(operators.create('ada@EXAMPLE.com', 'owner')).rejects.toMatchObject({ code: 'conflict' });
  await expect(operators.create('ada lovelace', 'owner')).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(operators.create('', 'owner')).rejects.toMatchObject({ code: 'invalid_request' });
  expect((await operators.list()).map(({ name }) => name)).toEqual(['ada@example.com']);
});

test('D1: a reset invalidates the sessions and the old password', async () => {
  const { operators, operatorSessions, signIn } = await createOperators();
  const { password } = await operators.create('ada', 'owner');
  const { sessionId } = await signIn('ada', password);
  const { password: next } = await operators.reset('ada');
  await expect(operatorSessions.find(sessionId)).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(signIn('ada', password)).rejects.toMatchObject(UNAUTHORIZED);
  expect(await signIn('ada', next)).toMatchObject({ name: 'ada' });
});

test('a deleted operator has no session, and the last operator cannot be deleted', async () => {
  const { operators, operatorSessions, signIn } = await createOperators();
  await operators.create('ada', 'owner');
  const { password } = await operators.create('grace', 'owner');
  const { sessionId } = await signIn('grace', password);
  await operators.delete('grace');
  await expect(operatorSessions.find(sessionId)).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(operators.delete('grace')).rejects.toMatchObject({ code: 'not_found' });
  await expect(operators.delete('ada')).rejects.toMatchObject({ code: 'conflict' });
  expect(await operators.list()).toHaveLength(1);
});

test('the last owner cannot be removed, even by two simultaneous changes', async () => {
  const { operators } = await createOperators();
  await operators.create('ada', 'owner');
  await operators.create('bob', 'operator');
  const onlyOwner = { code: 'conflict', message: expect.stringContaining('"ada" is the only owner') };
  await expect(operators.changeRole('ada', 'reader')).rejects.toMatchObject(onlyOwner);
  await expect(operators.delete('ada')).rejects.toMatchObject(onlyOwner);
  await expect(operators.changeRole('grace', 'owner')).rejects.toMatchObject({ code: 'not_found' });
  expect(await operators.changeRole('BOB', 'owner')).toMatchObject({ name: 'bob', role: 'owner' });
  const leaving = await Promise.allSettled([
    operators.changeRole('ada', 'operator'),
    operators.delete('bob'),
  ]);
  expect(leaving.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const owners = (await operators.list()).filter(({ role }) => role === 'owner');
  expect(owners).toHaveLength(1);
});

test('an operator shows the time of the last sign-in', async () => {
  const { operators, signIn, clock } = await createOperators();
  const { password } = await operators.create('ada', 'owner');
  expect(await operators.list()).toMatchObject([{ name: 'ada', signedInAt: null }]);
  clock.advance(60_000);
  await signIn('ada', password);
  expect(await operators.list()).toMatchObject([{ signedInAt: '2026-11-20T09:01:00.000Z' }]);
});

test('D1: a session id has 256 random bits, is new at each sign-in, and is stored hashed', async () => {
  const { operators, signIn, database } = await createOperators();
  const { password } = await operators.create('ada', 'owner');
  const sessions = [await signIn('ada', password), await signIn('ada', password)];
  const stored = JSON.stringify(await readTables(database));
  for (const { sessionId, csrfToken } of sessions) {
    expect(Buffer.from(sessionId, 'base64url')).toHaveLength(32);
    expect(stored).not.toContain(sessionId);
    expect(stored).not.toContain(csrfToken);
  }
  expect(stored).not.toContain(password);
  expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(2);
});

test('D1: a session expires after 30 minutes without use', async () => {
  const { operators, operatorSessions, signIn, clock } = await createOperators();
  const { sessionId } = await signIn('ada', (await operators.create('ada', 'owner')).password);
  for (let use = 0; use < 3; use += 1) {
    clock.advance(29 * 60_000);
    expect(await operatorSessions.find(sessionId)).toMatchObject({ name: 'ada' });
  }
  clock.advance(30 * 60_000);
  await expect(operatorSessions.find(sessionId)).rejects.toMatchObject({ code: 'unauthorized' });
});

test('D1: a session expires after 12 hours even when it is used', async () => {
  const { operators, operatorSessions, signIn, clock } = await createOperators();
  const { sessionId, expiresAt } = await signIn('ada', (await operators.create('ada', 'owner')).password);
  expect(expiresAt).toBe('2026-11-20T21:00:00.000Z');
  for (let use = 0; use < 35; use += 1) {
    clock.advance(20 * 60_000);
    await operatorSessions.find(sessionId);
  }
  clock.advance(20 * 60_000 - 1);
  await operatorSessions.find(sessionId);
  clock.advance(1);
  await expect(operatorSessions.find(sessionId)).rejects.toMatchObject({ code: 'unauthorized' });
});

test('D1: signing out ends the session on the server', async () => {
  const { operators, operatorSessions, signIn } = await createOperators();
  const { sessionId } = await signIn('ada', (await operators.create('ada', 'owner')).password);
  await operatorSessions.signOut(sessionId);
  await expect(operatorSessions.find(sessionId)).rejects.toMatchObject({ code: 'unauthorized' });
  await operatorSessions.signOut(sessionId);
});

test('D1: a CSRF token is valid only for its own session', async () => {
  const { operators, operatorSessions, signIn } = await createOperators();
  const { password } = await operators.create('ada', 'owner');
  const [mine, other] = [await signIn('ada', password), await signIn('ada', password)];
  const isMine = (token: string) => operatorSessions.isCsrfToken(mine.sessionId, token);
  expect([mine.csrfToken, other.csrfToken, '', `${mine.csrfToken}x`].map(isMine)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('failed sign-ins are limited per name and address and are indistinguishable', async () => {
  const { operators, signIn } = await createOperators();
  const { password } = await operators.create('ada', 'owner');
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await expect(signIn('ada', 'wrong')).rejects.toMatchObject(UNAUTHORIZED);
  }
  await expect(signIn('ada', password)).rejects.toMatchObject({
    code: 'rate_limited',
    details: { retryAfter: expect.any(Number) },
  });
  expect(await signIn('ada', password, '198.51.100.7')).toMatchObject({ name: 'ada' });
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await expect(signIn(`nobody-${attempt}`, 'wrong')).rejects.toMatchObject(UNAUTHORIZED);
  }
  await expect(signIn('nobody-else', 'wrong')).rejects.toMatchObject({ code: 'rate_limited' });
});

test('every operator action is audited without passwords', async () => {
  const { operators, operatorSessions, signIn, events, clock } = await createOperators();
  const step = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work;
    clock.advance(1);
    return done;
  };
  const { password } = await step(operators.create('ada', 'owner'));
  await step(operators.create('grace', 'owner'));
  const { sessionId } = await step(signIn('ada', password));
  await step(signIn('ada', 'wrong').catch(() => undefined));
  await step(signIn('nobody', 'wrong').catch(() => undefined));
  await step(operatorSessions.signOut(sessionId));
  await step(operators.reset('ada'));
  await step(operators.delete('grace'));
  const recorded = await events();
  expect(recorded.map(({ action, actor, result, reason }) => ({ action, actor, result, reason }))).toEqual([
    { action: 'operator.created', actor: 'test', result: 'done', reason: 'ada, owner' },
    { action: 'operator.created', actor: 'test', result: 'done', reason: 'grace, owner' },
    { action: 'operator.signed_in', actor: 'operator:ada', result: 'done', reason: 'password' },
    { action: 'operator.sign_in_refused', actor: 'test', result: 'refused', reason: 'wrong password' },
    { action: 'operator.sign_in_refused', actor: 'test', result: 'refused', reason: 'unknown name' },
    { action: 'operator.signed_out', actor: 'test', result: 'done', reason: null },
    { action: 'operator.changed', actor: 'test', result: 'done', reason: 'password' },
    { action: 'operator.deleted', actor: 'test', result: 'done', reason: 'grace' },
  ]);
  expect(JSON.stringify(recorded)).not.toContain(password);
});

import { expect, test } from 'vitest';
import { createOperator, SESSION } from '../../../test/support/service/create-operator.js';

const ALL = '/operator/v1/operators';

test('an owner creates an operator, who signs in by a link before a password exists', async () => {
  const { call, post, callsOf } = await createOperator();
  const made = await call('POST', ALL, { payload: { name: 'Grace@example.com', role: 'operator' } });
  expect(made.statusCode).toBe(201);
  const { link, ...properties } = made.json();
  expect(properties).toEqual({
    name: 'grace@example.com',
    role: 'operator',
    createdAt: '2026-11-20T09:00:00.000Z',
    signedInAt: null,
    expiresAt: '2026-11-20T09:15:00.000Z',
    etag: expect.any(String),
  });
  const guess = await post(SESSION, { name: 'grace@example.com', password: 'guess' });
  expect(guess.statusCode).toBe(401);
  const signedIn = await post(`${SESSION}/link`, { token: link.split('#')[1] });
  expect((await callsOf(signedIn)('GET', SESSION)).json()).toMatchObject({ role: 'operator' });
  expect((await call('GET', ALL)).json()).toEqual({
    items: [
      {
        name: 'ada',
        role: 'owner',
        createdAt: expect.any(String),
        signedInAt: expect.any(String),
        etag: expect.any(String),
      },
      {
        name: 'grace@example.com',
        role: 'operator',
        createdAt: '2026-11-20T09:00:00.000Z',
        signedInAt: '2026-11-20T09:00:00.000Z',
        etag: expect.any(String),
      },
    ],
  });
});

test('an owner changes roles, creates links and deletes, and the last owner is kept', async () => {
  const { call, operators, post } = await createOperator();
  await operators.create('grace', 'reader');
  const changed = await call('PATCH', `${ALL}/Grace`, { payload: { role: 'owner' } });
  expect([changed.statusCode, changed.json()]).toMatchObject([200, { name: 'grace', role: 'owner' }]);
  const given = await call('POST', `${ALL}/grace/sign-in-link`);
  expect(given.statusCode).toBe(201);
  const token = given.json().link.split('#')[1];
  expect((await post(`${SESSION}/link`, { token })).json()).toMatchObject({ name: 'grace' });
  expect((await call('DELETE', `${ALL}/grace`)).statusCode).toBe(204);
  expect((await call('DELETE', `${ALL}/grace`)).statusCode).toBe(404);
  const refused = [
    await call('DELETE', `${ALL}/ada`),
    await call('PATCH', `${ALL}/ada`, { payload: { role: 'reader' } }),
  ];
  for (const reply of refused)
    expect([reply.statusCode, reply.json().error.message]).toEqual([
      409,
      expect.stringMatching(/only owner/),
    ]);
});

test.each([
  { payload: { name: 'grace', role: 'king' }, says: /role/ },
  { payload: { name: 'grace' }, says: /role/ },
  { payload: { name: 'ada lovelace', role: 'reader' }, says: /is not a valid operator name/ },
  { payload: { name: 'grace', role: 'reader', password: 'x' }, says: /"password" is not a known field/ },
])('the operator $payload is refused', async ({ payload, says }) => {
  const { call } = await createOperator();
  const reply = await call('POST', ALL, { payload });
  expect([reply.statusCode, reply.json().error.message]).toEqual([400, expect.stringMatching(says)]);
});

test('an existing name is refused', async () => {
  const { call } = await createOperator();
  const reply = await call('POST', ALL, { payload: { name: 'ADA', role: 'reader' } });
  expect([reply.statusCode, reply.json().error.code]).toEqual([409, 'conflict']);
});

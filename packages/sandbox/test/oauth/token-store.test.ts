import { expect, test } from 'vitest';
import { createClock } from '../../src/clock.js';
import { createTokenStore } from '../../src/oauth/token-store.js';

test('deletes the oldest refresh token of a user and a client above the limit', async () => {
  const tokens = createTokenStore(createClock(), { mostRefreshTokens: 2 }).adapter('RefreshToken');
  const add = (id: string, accountId: string, clientId: string) =>
    tokens.upsert(id, { accountId, clientId, grantId: id }, 60);
  await add('first', 'ada', 'one');
  await add('other application', 'ada', 'two');
  await add('other person', 'grace', 'one');
  await add('second', 'ada', 'one');
  await add('second', 'ada', 'one');
  await add('third', 'ada', 'one');

  const ids = ['first', 'other application', 'other person', 'second', 'third'];
  const known = await Promise.all(ids.map(async (id) => (await tokens.find(id)) !== undefined));
  expect(known).toEqual([false, true, true, true, true]);
});

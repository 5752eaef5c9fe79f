import { expect, test } from 'vitest';
import { createTenant, ENVIRONMENT_URL } from '../../test/support/service/create-tenant.js';
import { narrowToken } from './token-chain.js';
import { createTokenUses } from './token-uses.js';

const MAX_COUNTS = 10_000;

test('F5: repeatedly narrowed tokens do not fill the database with counters', async () => {
  const tenant = await createTenant();
  const { storage, database, narrowedTokens, applications, clock } = tenant;
  const { id: applicationId, clientSecret } = await applications.create('Narrowing');
  const client = await applications.verifyClient(applicationId, clientSecret);
  const input = { identifier: 'ada', maxCalls: 1_000_000, expiresIn: 3600 };
  const { token, id: tokenId } = await narrowedTokens.issue(client, 'agent', input);
  const uses = createTokenUses({ storage, environmentUrl: ENVIRONMENT_URL, now: clock.now });
  const account = { id: 'acct_1', connectionName: 'mail', identifier: 'ada' };
  const call = async (maxCalls: number | undefined) => {
    const presented = maxCalls === undefined ? token : narrowToken(token, { maxCalls });
    const { token: chain } = await narrowedTokens.authenticate(presented);
    if (chain === undefined) throw new Error('a narrowed token has a chain');
    await uses.checkCall({ applicationId, token: chain, endpoint: '/v1' }, { account }).count();
  };
  const rows = async () => (await database.selectFrom('narrowedTokenCalls').select('used').execute()).length;

  await call(7);
  const expiresAt = clock.now() + 3_600_000;
  const others = Array.from({ length: MAX_COUNTS - 2 }, (_, index) => `digest ${index}`);
  for (let at = 0; at < others.length; at += 1000) {
    const some = others.slice(at, at + 1000);
    const counts = some.map((sealDigest) => ({ applicationId, tokenId, sealDigest, expiresAt, used: 1 }));
    await database.insertInto('narrowedTokenCalls').values(counts).execute();
  }
  await expect(call(8)).rejects.toMatchObject({ code: 'not_permitted', details: { limit: 'maxCalls' } });
  expect(await rows()).toBe(MAX_COUNTS);
  // If the maximum number of call counts is stored, the original token and tokens with a stored count still work.
  await call(7);
  await call(undefined);
});

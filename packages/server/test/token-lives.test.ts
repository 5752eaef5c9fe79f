import { describe, expect, test } from 'vitest';
import { narrowToken } from '../src/tokens/token-chain.js';
import { signIn } from './application.js';
import { addApplication } from './second-application.js';
import { rounds } from './support/rounds.js';
import { codeOf, expectRefused, type Issued, LIST, openTokenStage } from './support/token-stage.js';

const { now, issue, send, execute, proxied } = openTokenStage();

describe('T2: a token ends', () => {
  const expectEnded = async (token: string) => {
    const reply = await execute(token, LIST);
    expect([reply.status, codeOf(reply).code]).toEqual([401, 'unauthorized']);
    expect((await proxied(token)).status).toBe(401);
    expect((await send(token, 'GET', '/v1/connections/calendar/accounts/ada')).status).toBe(401);
  };

  test('when it is revoked, with all that were made from it, and once', async () => {
    const { token, id } = await issue({}, 'account');
    const child = narrowToken(token, { readOnly: true });
    expect((await execute(child, LIST)).status).toBe(200);
    expect((await now().owner.call('DELETE', `/v1/agent-tokens/${id}`)).status).toBe(404);
    expect((await now().owner.call('DELETE', `/v1/account-tokens/${id}`)).status).toBe(204);
    await expectEnded(token);
    await expectEnded(child);
    expect((await now().owner.call('DELETE', `/v1/account-tokens/${id}`)).status).toBe(404);
  });

  test('when a holder said so', async () => {
    const { token } = await issue();
    await expectEnded(narrowToken(token, { expiresAt: 1 }));
  });

  test('with the client secret that it was asked for with', async () => {
    const { applications } = now().service.app;
    const { id, clientSecret } = await applications.addClientSecret(now().service.clientId);
    const other = await signIn({ ...now().service, clientSecret });
    const made = await other.call('POST', '/v1/agent-tokens', { body: { identifier: 'ada', expiresIn: 60 } });
    const { token } = made.json<Issued>();
    expect((await execute(token, LIST)).status).toBe(200);
    await applications.revokeClientSecret(now().service.clientId, id);
    await expectEnded(token);
  });

  test('never was when it was forged, or is of another application', async () => {
    const { token } = await issue();
    const [head, link, seal = ''] = token.split('.');
    await expectEnded(`${head}.${Buffer.from('{"identifier":"bob"}').toString('base64url')}.${seal}`);
    await expectEnded(`${head}.${link}.${seal.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`);
    await expectEnded(narrowToken(token, { everything: true } as object));
    const stranger = await addApplication(now().service);
    const foreign = await stranger.call('POST', '/v1/agent-tokens', {
      body: { identifier: 'ada', expiresIn: 60 },
    });
    const reply = await execute(
      foreign.json<Issued>().token,
      LIST,
      {},
      { connectedAccountId: now().ids.ada },
    );
    expect([reply.status, codeOf(reply).code]).toEqual([404, 'account_not_found']);
  });
});

describe('T4: calls are counted for all tokens that were made from one', () => {
  const statuses = async (tokens: readonly string[]) => {
    const replies = await Promise.all(tokens.map((token) => execute(token, LIST)));
    return replies.map(({ status }) => status);
  };

  test('however many ask at once', async () => {
    for (let round = 0; round < rounds(20); round += 1) {
      const { token } = await issue({ maxCalls: 7 });
      const children = Array.from({ length: 30 }, (_, index) =>
        narrowToken(token, { maxCalls: 5 + (index % 2) }),
      );
      const answered = await statuses([...children, ...Array.from({ length: 5 }, () => token)]);
      expect(answered.filter((status) => status === 200)).toHaveLength(7);
      expect(answered.filter((status) => status === 403)).toHaveLength(28);
    }
  });

  test('a child has no more than it was given, and takes from its parent', async () => {
    const { token } = await issue({ maxCalls: 5 });
    const child = narrowToken(token, { maxCalls: 2 });
    const grandchild = narrowToken(child, { maxCalls: 99 });
    expect(await statuses([child])).toEqual([200]);
    expect(await statuses([grandchild])).toEqual([200]);
    expectRefused(await execute(child, LIST), 'maxCalls');
    expectRefused(await execute(grandchild, LIST), 'maxCalls');
    expectRefused(await proxied(child), 'maxCalls');
    expect([
      (await proxied(token)).status,
      ...(await statuses([token])),
      ...(await statuses([token])),
    ]).toEqual([200, 200, 200]);
    expectRefused(await execute(token, LIST), 'maxCalls');
  });

  test('what is refused counts nothing, and zero is none', async () => {
    const { token } = await issue({ maxCalls: 1 });
    expectRefused(await execute(narrowToken(token, { tools: [] }), LIST), 'tools');
    expectRefused(await execute(narrowToken(token, { maxCalls: 0 }), LIST), 'maxCalls');
    expect(await statuses([token])).toEqual([200]);
  });
});

describe('tokens are made, listed and told of', () => {
  test('each by its kind, newest first, without itself', async () => {
    const first = await issue({ tools: [LIST], maxCalls: 3 });
    const second = await issue({ readOnly: true });
    const list = await now().owner.call('GET', '/v1/agent-tokens?pageSize=2');
    const { items } = list.json<{ items: { id: string; limits: object; expiresAt: string }[] }>();
    expect(items.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(items[1]).toMatchObject({
      limits: { identifier: 'ada', tools: [LIST], maxCalls: 3 },
      expiresAt: first.expiresAt,
      revokedAt: null,
    });
    expect(list.text).not.toContain(first.token.split('.').at(-1));
    const account = await issue({}, 'account');
    expect((await now().owner.call('GET', '/v1/account-tokens')).text).toContain(account.id);
    expect((await now().owner.call('GET', '/v1/agent-tokens?pageSize=200')).text).not.toContain(account.id);
  });

  test.each([
    { title: 'a word that nobody knows', body: { identifier: 'ada', expiresIn: 60, sudo: true } },
    { title: 'no user', body: { expiresIn: 60 } },
    { title: 'no end', body: { identifier: 'ada' } },
    { title: 'an end too far', body: { identifier: 'ada', expiresIn: 366 * 24 * 3600 } },
    {
      title: 'a limit of an argument that says nothing',
      body: { identifier: 'ada', expiresIn: 60, arguments: { [LIST]: { x: {} } } },
    },
    {
      title: 'another service as audience',
      body: { identifier: 'ada', expiresIn: 60, audience: 'https://elsewhere.example' },
    },
    {
      title: 'more than fits into a header',
      body: { identifier: 'ada', expiresIn: 60, tools: Array.from({ length: 200 }, () => 'a'.repeat(100)) },
    },
  ])('not with $title', async ({ body }) => {
    const reply = await now().owner.call('POST', '/v1/agent-tokens', { body });
    expect([reply.status, codeOf(reply).code]).toEqual([400, 'invalid_request']);
  });

  test('an account token lives ten minutes, and a year at most', async () => {
    const { expiresAt } = await issue({}, 'account');
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(590_000);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThan(610_000);
    const reply = await now().owner.call('POST', '/v1/account-tokens', {
      body: { identifier: 'ada', expiresIn: 31_536_001 },
    });
    expect(reply.status).toBe(400);
  });
});

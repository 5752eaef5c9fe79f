import { describe, expect, test } from 'vitest';
import { narrowToken } from '../../src/tokens/token-chain.js';
import { rounds } from '../support/runner/rounds.js';
import { signIn } from '../support/service/application.js';
import { addApplication } from '../support/service/second-application.js';
import { codeOf, expectRefused, type Issued, LIST, openTokenStage } from '../support/service/token-stage.js';

const { now, issue, send, execute, proxied } = openTokenStage();

describe('T2: the life of a token', () => {
  const expectEnded = async (token: string) => {
    const reply = await execute(token, LIST);
    expect([reply.status, codeOf(reply).code]).toEqual([401, 'unauthorized']);
    expect((await proxied(token)).status).toBe(401);
    expect((await send(token, 'GET', '/v1/connections/calendar/accounts/ada')).status).toBe(401);
  };

  test('ends with its revocation, together with all narrowed tokens', async () => {
    const { token, id } = await issue({}, 'account');
    const child = narrowToken(token, { readOnly: true });
    expect((await execute(child, LIST)).status).toBe(200);
    expect((await now().owner.call('DELETE', `/v1/agent-tokens/${id}`)).status).toBe(404);
    expect((await now().owner.call('DELETE', `/v1/account-tokens/${id}`)).status).toBe(204);
    await expectEnded(token);
    await expectEnded(child);
    expect((await now().owner.call('DELETE', `/v1/account-tokens/${id}`)).status).toBe(404);
  });

  test('ends at the expiry that a bearer added', async () => {
    const { token } = await issue();
    await expectEnded(narrowToken(token, { expiresAt: 1 }));
  });

  test('ends with the client secret that requested it', async () => {
    const { applications } = now().service.app;
    const { id, clientSecret } = await applications.addClientSecret(now().service.clientId);
    const other = await signIn({ ...now().service, clientSecret });
    const made = await other.call('POST', '/v1/agent-tokens', { body: { identifier: 'ada', expiresIn: 60 } });
    const { token } = made.json<Issued>();
    expect((await execute(token, LIST)).status).toBe(200);
    await applications.revokeClientSecret(now().service.clientId, id);
    await expectEnded(token);
  });

  test('does not begin for a forged token or a token of another application', async () => {
    const { token } = await issue();
    const [head, link, signature = ''] = token.split('.');
    await expectEnded(`${head}.${Buffer.from('{"identifier":"bob"}').toString('base64url')}.${signature}`);
    await expectEnded(`${head}.${link}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`);
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

describe('T4: the call limit of a token and its narrowed tokens', () => {
  const statuses = async (tokens: readonly string[]) => {
    const replies = await Promise.all(tokens.map((token) => execute(token, LIST)));
    return replies.map(({ status }) => status);
  };

  test('is exact for simultaneous calls', async () => {
    for (let round = 0; round < rounds(20); round += 1) {
      const { token } = await issue({ maxCalls: 7 });
      const children = Array.from({ length: 30 }, (_, index) =>
        narrowToken(token, { maxCalls: 5 + (index % 2) }),
      );
      const replies = await statuses([...children, ...Array.from({ length: 5 }, () => token)]);
      expect(replies.filter((status) => status === 200)).toHaveLength(7);
      expect(replies.filter((status) => status === 403)).toHaveLength(28);
    }
  });

  test('limits a child to its own number and to the rest of its parent', async () => {
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

  test('does not count refused calls, and zero allows no call', async () => {
    const { token } = await issue({ maxCalls: 1 });
    expectRefused(await execute(narrowToken(token, { tools: [] }), LIST), 'tools');
    expectRefused(await execute(narrowToken(token, { maxCalls: 0 }), LIST), 'maxCalls');
    expect(await statuses([token])).toEqual([200]);
  });
});

describe('the token operations', () => {
  test('list the tokens of one kind, newest first, without the token itself', async () => {
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
    { title: 'an unknown property', body: { identifier: 'ada', expiresIn: 60, sudo: true } },
    { title: 'no identifier', body: { expiresIn: 60 } },
    { title: 'no expiry', body: { identifier: 'ada' } },
    { title: 'an expiry that is too far away', body: { identifier: 'ada', expiresIn: 366 * 24 * 3600 } },
    {
      title: 'an empty argument limit',
      body: { identifier: 'ada', expiresIn: 60, arguments: { [LIST]: { x: {} } } },
    },
    {
      title: 'an audience at another service',
      body: { identifier: 'ada', expiresIn: 60, audience: 'https://elsewhere.example' },
    },
    {
      title: 'limits too large for a header',
      body: { identifier: 'ada', expiresIn: 60, tools: Array.from({ length: 200 }, () => 'a'.repeat(100)) },
    },
  ])('refuse $title', async ({ body }) => {
    const reply = await now().owner.call('POST', '/v1/agent-tokens', { body });
    expect([reply.status, codeOf(reply).code]).toEqual([400, 'invalid_request']);
  });

  test('an account token expires after ten minutes by default and after a year at most', async () => {
    const { expiresAt } = await issue({}, 'account');
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(590_000);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThan(610_000);
    const reply = await now().owner.call('POST', '/v1/account-tokens', {
      body: { identifier: 'ada', expiresIn: 31_536_001 },
    });
    expect(reply.status).toBe(400);
  });
});

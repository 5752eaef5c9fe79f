import { narrowToken } from '@svc/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { median } from '../support/median.js';
import { rounds } from '../support/runner/rounds.js';
import { forgeTokens } from '../support/secrets/forged-tokens.js';
import { fetchReply, type Reply, signIn } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';
import { createServiceParts } from '../support/service/service-parts.js';

let service: Service;

beforeAll(async () => {
  service = await startService({ connectors: [], flags: ['--trusted-proxies', '127.0.0.1,::1'] });
});
afterAll(() => service.stop());

/** Returns the parts of an error response that a caller can compare. Leaves out the time and the request id. */
function visible({ status, headers, text }: Reply) {
  const { date: _, 'svc-request-id': requestId = '', ...rest } = Object.fromEntries(headers);
  return { status, headers: rest, text: text.replaceAll(requestId, '…') };
}

describe('A7: a forged access token', () => {
  const send = (token: string, index: number) =>
    fetchReply(`${service.url}/v1/connections`, {
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': `192.0.2.${index}` },
    });

  test('gets 401 and the same response whatever the token claims', async () => {
    const forged = forgeTokens({ clientId: service.clientId, url: service.url });
    expect(forged.length).toBeGreaterThanOrEqual(20);
    const reference = visible(await send('nonsense', 0));
    expect(reference).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    for (const [index, { title, token }] of forged.entries()) {
      expect({ title, ...visible(await send(token, index + 1)) }).toEqual({ title, ...reference });
    }
  });

  test('a changed character of a valid token makes it invalid', async () => {
    const { accessToken } = await signIn(service);
    const changed = [
      accessToken.slice(0, -1),
      `${accessToken}A`,
      accessToken.toUpperCase(),
      accessToken.replace('svc_at_', 'svc_sk_'),
      `${accessToken}.`,
      `${accessToken},${accessToken}`,
    ];
    for (const [index, token] of changed.entries()) {
      expect((await send(token, 100 + index)).status).toBe(401);
    }
    expect((await send(accessToken, 120)).status).toBe(200);
  });
});

describe('A4: an unknown client id and a wrong secret', () => {
  test('respond in the same time: the medians differ by less than 5 %', async () => {
    const { applications } = await createServiceParts();
    const { id, clientSecret } = await applications.create('Acme');
    const wrong = `${clientSecret.slice(0, -1)}_`;
    const time = async (clientId: string) => {
      const start = performance.now();
      await applications.verifyClient(clientId, wrong).catch(() => undefined);
      return performance.now() - start;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    // Alternates between the known and the unknown client, so that load on the machine affects both samples.
    // The caller adds samples while the medians differ: more samples remove noise, but no real difference.
    async function measure(tries: number): Promise<number> {
      for (let index = 0; index < tries; index += 1) {
        const other = `app_${index.toString(16).padStart(24, '0')}`;
        const checks = [async () => known.push(await time(id)), async () => unknown.push(await time(other))];
        for (const check of index % 2 === 0 ? checks : checks.reverse()) await check();
      }
      const [a, b] = [median(known), median(unknown)];
      return Math.abs(a - b) / Math.min(a, b);
    }
    await measure(200);
    for (const samples of [known, unknown]) samples.length = 0;
    const differences: number[] = [];
    while (differences.length < 10 && !differences.some((difference) => difference < 0.05)) {
      differences.push(await measure(rounds(10_000, 500)));
    }
    expect(differences.at(-1)).toBeLessThan(0.05);
  }, 240_000);

  test('get the same response', async () => {
    const token = (clientId: string) =>
      fetchReply(`${service.url}/oauth/token`, {
        method: 'POST',
        headers: { 'x-forwarded-for': '198.51.100.1' },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: 'svc_sk_wrong',
        }),
      });
    const { id } = await service.app.applications.create('Another application');
    const wrongSecret = visible(await token(id));
    expect(wrongSecret.status).toBe(401);
    expect(visible(await token('app_unknown'))).toEqual(wrongSecret);
  });
});

describe('A8: a caller with too many failed sign-ins', () => {
  const tokenOf = (clientId: string, clientSecret: string, { headers = {}, url = service.url } = {}) =>
    fetchReply(`${url}/oauth/token`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      }),
    });
  const token = (clientSecret: string, headers: Readonly<Record<string, string>>, url = service.url) =>
    tokenOf(service.clientId, clientSecret, { headers, url });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const waits = ({ status, headers }: Reply) => ({ status, seconds: Number(headers.get('retry-after')) });
  const refused = { status: 429, seconds: expect.closeTo(60, -1) };

  test('a client id gets 429 with Retry-After, and its correct secret works from another address', async () => {
    for (let index = 0; index < 10; index += 1) {
      expect((await token('wrong', from('203.0.113.1'))).status).toBe(401);
    }
    const reply = await token('wrong', from('203.0.113.1'));
    expect(waits(reply)).toEqual(refused);
    expect(reply.json()).toEqual({
      error: expect.any(String),
      error_description: expect.stringMatching(/Retry in/),
    });
    expect(waits(await token(service.clientSecret, from('203.0.113.1')))).toEqual(refused);
    expect((await token(service.clientSecret, from('203.0.113.2'))).status).toBe(200);
  });

  test('an address gets 429 for forged access tokens, and a valid token still works', async () => {
    const send = (accessToken: string, address: string) =>
      fetchReply(`${service.url}/v1/connections`, {
        headers: { authorization: `Bearer ${accessToken}`, ...from(address) },
      });
    const { accessToken } = await signIn(service);
    for (let index = 0; index < 30; index += 1) {
      expect((await send(`svc_at_${index}`, '203.0.113.3')).status).toBe(401);
    }
    const reply = await send('svc_at_more', '203.0.113.3');
    expect(waits(reply)).toEqual(refused);
    expect(reply.json()).toMatchObject({ error: { code: 'rate_limited' } });
    expect((await send(accessToken, '203.0.113.3')).status).toBe(200);
    expect((await token(service.clientSecret, from('203.0.113.3'))).status).toBe(200);
    expect((await send('svc_at_other', '203.0.113.4')).status).toBe(401);
  });

  test('an expired or revoked token gets 401 each time and does not count as a guess', async () => {
    const owner = await signIn(service);
    const body = { identifier: 'user_42', expiresIn: 600 };
    const made = (await owner.call('POST', '/v1/agent-tokens', { body })).json<{
      token: string;
      id: string;
    }>();
    const expired = await narrowToken(made.token, { expiresIn: -60 });
    const revoked = made.token;
    await owner.call('DELETE', `/v1/agent-tokens/${made.id}`);
    const { id, clientSecret } = await service.app.applications.addClientSecret(service.clientId);
    const { accessToken } = await signIn({ ...service, clientSecret });
    await service.app.applications.revokeClientSecret(service.clientId, id);
    const headers = from('203.0.113.8');
    for (let index = 0; index < 40; index += 1) expect((await token(clientSecret, headers)).status).toBe(401);
    for (const over of [expired, revoked, accessToken]) {
      for (let index = 0; index < 40; index += 1) {
        const reply = await fetchReply(`${service.url}/mcp`, {
          method: 'POST',
          headers: { ...headers, authorization: `Bearer ${over}`, 'content-type': 'application/json' },
          body: '{}',
        });
        expect({ index, status: reply.status }).toEqual({ index, status: 401 });
        expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/);
      }
    }
    // Expects 401 and not 429, because expired and revoked tokens do not count against the limit per IP address.
    expect(
      (
        await fetchReply(`${service.url}/v1/connections`, {
          headers: { ...headers, authorization: 'Bearer svc_at_x' },
        })
      ).status,
    ).toBe(401);
  });

  test('wrong secrets of other clients at the same address do not block a correct secret', async () => {
    const headers = from('203.0.113.5');
    const made = await service.app.applications.create('Behind a proxy');
    for (let index = 0; index < 40; index += 1) {
      const { status } = await tokenOf(`app_other${index}`, 'wrong', { headers });
      expect({ index, status }).toEqual({ index, status: index < 30 ? 401 : 429 });
    }
    expect((await tokenOf(made.id, made.clientSecret, { headers })).status).toBe(200);
    expect((await token(service.clientSecret, headers)).status).toBe(200);
    expect(waits(await tokenOf(made.id, 'wrong', { headers }))).toEqual(refused);
    expect((await tokenOf(made.id, made.clientSecret, { headers })).status).toBe(200);
  });

  test('a generated secret works while its client id is guessed at; a chosen secret has to wait', async () => {
    const headers = from('203.0.113.6');
    const made = await service.app.applications.create('Guessed at');
    for (const id of [made.id, service.clientId]) {
      for (let index = 0; index < 12; index += 1) await tokenOf(id, 'wrong', { headers });
    }
    expect((await tokenOf(made.id, made.clientSecret, { headers })).status).toBe(200);
    expect(waits(await token(service.clientSecret, headers))).toEqual(refused);
    expect((await token(service.clientSecret, from('203.0.113.7'))).status).toBe(200);
  });

  test('forged address headers are ignored unless the operator trusts the proxy', async () => {
    const open = await startService({ connectors: [] });
    const forged = (index: number) => ({
      'x-forwarded-for': `203.0.113.${index}`,
      'x-real-ip': `203.0.113.${index}`,
      forwarded: `for=203.0.113.${index}`,
    });
    const statuses: number[] = [];
    for (let index = 0; index < 12; index += 1) {
      statuses.push((await token('wrong', forged(index), open.url)).status);
    }
    await open.stop();
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
  });
});

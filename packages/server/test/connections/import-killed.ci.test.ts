import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command } from '../support/processes/command.js';
import { type GatedService, startGatedService } from '../support/processes/gated-service.js';
import { type IssuedTokens, issueTokens } from '../support/service/issue-tokens.js';

const ACCOUNTS = 12;
const CASES = [
  // Workspace rotates refresh tokens and revokes on reuse. Its verify request proves the tokens without a refresh.
  { id: 'workspace', path: '/v1/users/me', call: '/v1/users' },
  { id: 'calendar', path: '/token', call: '/calendar/v3/users/me/calendarList' },
] as const;

let service: GatedService;

beforeAll(async () => {
  service = await startGatedService(['workspace', 'calendar']);
  const { data, clientId, env = {} } = service.process();
  const setup = { env: { ...env, SVC_DATA: data } };
  const { code } = await command(setup, 'apps', 'change', clientId, '--allow-token-import');
  expect(code).toBe(0);
});
afterAll(() => service.stop());

describe.each(CASES)('an import of $id whose process is killed in the middle', ({ id, path, call }) => {
  test('is complete after it was repeated, and no refresh token is lost', { timeout: 120_000 }, async () => {
    const { sandbox, gate, application } = service;
    const client = service.connection(id);
    const tokens = new Map<string, IssuedTokens>();
    for (let n = 1; n <= ACCOUNTS; n += 1)
      tokens.set(`user-${n}`, await issueTokens(sandbox, id, { client }));
    const put = (identifier: string, body: IssuedTokens) =>
      application.call('PUT', `/v1/connections/${id}/accounts/${identifier}`, { body });
    const all = () => Promise.allSettled([...tokens].map(([identifier, body]) => put(identifier, body)));

    const { paused, release } = gate.pause(path, 'response', { skip: ACCOUNTS / 2 });
    const interrupted = all();
    await paused;
    await service.crash();
    release();
    await interrupted;

    const statuses = (await all()).map((each) => (each.status === 'fulfilled' ? each.value.status : 0));
    expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
    await sandbox.expireTokens(id);
    for (const identifier of tokens.keys()) {
      const reply = await application.call('GET', `/v1/proxy/${id}/${identifier}${call}`);
      expect(reply.status).toBe(200);
    }
  });
});

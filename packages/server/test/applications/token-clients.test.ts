import { readFileSync } from 'node:fs';
import { calendar } from '@svc/calendar';
import {
  type TokenLimits as ClientLimits,
  createClient,
  isServiceError,
  manage,
  narrowToken,
} from '@svc/core';
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import { narrowToken as narrowInService } from '../../src/tokens/token-chain.js';
import type { TokenLimits } from '../../src/tokens/token-limits.js';
import { fetchReply, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  await connectAccount(service, 'calendar', 'user_42');
});
afterAll(() => service.stop());

const user = { connectionName: 'calendar', identifier: 'user_42' };
const clientWith = (accessToken: string) => createClient({ environmentUrl: service.url, accessToken });

test('a browser acts for its user with an account token', async () => {
  const accessToken = () => service.svc.accountToken({ identifier: 'user_42' });
  const page = createClient({ environmentUrl: service.url, accessToken });
  const events = calendar(page, user);
  expect((await events.listCalendars()).data).toMatchObject({ kind: 'calendar#calendarList' });
  const { link } = await page.getAuthorizationLink({ ...user, identifier: 'user_42' });
  expect(link).toContain('/connect/');
  expect((await manage(page).accounts.get(user)).status).toBe('authorized');
  await expect(manage(page).accounts.list()).rejects.toMatchObject({ code: 'not_permitted', status: 403 });
  await expect(calendar(page, { ...user, identifier: 'other' }).listCalendars()).rejects.toMatchObject({
    code: 'not_permitted',
    details: { limit: 'identifier' },
  });
});

test('an agent narrows its token offline for another agent', async () => {
  const { token, id } = await service.svc.agentToken({ identifier: 'user_42', expiresIn: 600 });
  const narrowed = await narrowToken(token, { readOnly: true, maxCalls: 2, expiresIn: 60 });
  const events = calendar(clientWith(narrowed), user);
  const failure = await events
    .createEvent({ summary: 'x', start_datetime: '2026-12-01T09:00:00Z' })
    .catch((error) => error);
  expect(isServiceError(failure, 'not_permitted')).toBe(true);
  expect(failure).toMatchObject({ details: { limit: 'readOnly' } });
  await events.listCalendars();
  await clientWith(narrowed).request({ ...user, method: 'GET', path: '/calendar/v3/users/me/calendarList' });
  await expect(events.listCalendars()).rejects.toMatchObject({ details: { limit: 'maxCalls' } });
  await manage(service.svc).agentTokens.revoke(id);
  await expect(events.listCalendars()).rejects.toMatchObject({ code: 'unauthorized' });
  const { items } = await manage(service.svc).agentTokens.list();
  expect(items.find((each) => each.id === id)?.revokedAt).toEqual(expect.any(String));
});

test('T1: the client and the service narrow tokens identically and share the same limits', async () => {
  const { token } = await service.svc.agentToken({ identifier: 'user_42', expiresIn: 600 });
  const limits = {
    tools: ['calendar_list_events'],
    arguments: { calendar_list_events: { q: { prefix: 'Zoë ☕' } } },
  };
  expect(await narrowToken(token, limits)).toBe(narrowInService(token, limits));
  expectTypeOf<keyof ClientLimits>().toEqualTypeOf<Exclude<keyof TokenLimits, 'expiresAt'>>();
  expectTypeOf<ClientLimits>().toExtend<TokenLimits>();
});

test('the token request in docs/guides/tokens.md creates a token that runs a tool', async () => {
  const page = readFileSync(new URL('../../../docs/guides/tokens.md', import.meta.url), 'utf8');
  const [, path = '', body = ''] =
    /^curl http:\/\/localhost:4400(\/v1\/agent-tokens) [^\n]* -d '(.*?)'$/ms.exec(page) ?? [];
  const { call } = await signIn(service);
  const reply = await call('POST', path, { body: JSON.parse(body) });
  expect(reply.status, reply.text).toBe(201);
  const { token } = reply.json<{ token: string }>();
  const listed = await fetchReply(`${service.url}/v1/tools/calendar_list_events/execute`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...user, toolInput: { calendar_id: 'primary' } }),
  });
  expect(listed.status, listed.text).toBe(200);
});

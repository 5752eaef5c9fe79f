import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchReply } from '../support/service/application.js';
import { textOf } from '../support/service/create-connect.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
import { type Service, startService } from '../support/service/service.js';

let service: Service;
let operator: SignedInOperator;

beforeAll(async () => {
  service = await startService();
  operator = await signInOperator({
    url: service.url,
    ...(await service.app.operators.create('ada', 'reader')),
  });
});
afterAll(() => service.stop());

const preview = (query: string, headers: Record<string, string> = { cookie: operator.cookie }) =>
  fetchReply(`${service.url}/operator/v1/applications/${service.clientId}/connect-page${query}`, { headers });

test('operators see the connect page with the saved name and color, and with buttons that do nothing', async () => {
  await service.app.applications.change(service.clientId, { color: '#7A1FA2' });
  const { status, headers, text } = await preview('?connector=calendar&language=de');
  expect(status).toBe(200);
  expect(textOf(text)).toContain('Test application möchte auf ein Konto bei Calendar zugreifen');
  expect(text).toContain('--main: #7a1fa2; --on-main: #ffffff;');
  expect(text).not.toMatch(/<form|<script/);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
  });
});

test('the preview needs an operator session', async () => {
  const { status, text } = await preview('', {});
  expect([status, text.includes('<!doctype')]).toEqual([401, false]);
});

test.each(['?connector=none', '?language=fr', '?name=x'])('the preview refuses %s', async (query) => {
  const { status, text } = await preview(query);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(text).not.toContain('<!doctype');
});

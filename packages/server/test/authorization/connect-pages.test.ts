import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchReply } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';

let service: Service;
let redirectUri: string | null;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  redirectUri = (await service.app.connections.get(service.clientId, 'calendar')).redirectUri;
});
afterAll(() => service.stop());

const createLink = async (identifier: string) =>
  (await service.svc.getAuthorizationLink({ connectionName: 'calendar', identifier })).link;

const FORGED = {
  host: 'evil.example.com',
  forwarded: 'host=evil.example.com;proto=https',
  'x-forwarded-host': 'evil.example.com',
  'x-forwarded-proto': 'https',
  'x-forwarded-port': '1',
  'x-forwarded-prefix': '/evil',
  'x-original-url': '/evil',
  'x-rewrite-url': '/evil',
};

test('O10: forged headers change neither the redirect URI nor a link', async () => {
  const link = await createLink('ada');
  const { server } = service.app;
  const [cookie] = (await server.inject({ url: new URL(link).pathname, headers: FORGED })).cookies;
  const click = await server.inject({
    method: 'POST',
    url: new URL(link).pathname,
    headers: {
      ...FORGED,
      cookie: `${cookie?.name}=${cookie?.value}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: 'decision=allow',
  });
  const location = new URL(String(click.headers.location));
  expect(location.origin).toBe(service.sandbox.url);
  expect(location.searchParams.get('redirect_uri')).toBe(redirectUri);
  expect(redirectUri).toMatch(new RegExp(`^${service.url}/sso/v1/oauth/conn_\\w+/callback$`));
});

const PAYLOADS = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onmouseover='alert(1)"];

test.each(PAYLOADS)(
  'O19: connect pages are never cached, framed or sent as referrer, and do not reflect %s',
  async (payload) => {
    const names = ['code', 'state', 'error', 'error_description', 'iss', 'x'];
    const query = new URLSearchParams(Object.fromEntries(names.map((name) => [name, payload])));
    const link = await createLink(payload);
    const urls = [
      link,
      `${link}?${query}`,
      `${service.url}/connect/${encodeURIComponent(payload)}`,
      `${redirectUri}?${query}`,
    ];
    const cookie = `svc-browser=${'c'.repeat(43)}`;
    for (const url of urls) {
      const { headers, text } = await fetchReply(url, { headers: { cookie } });
      expect(text).toContain('<!doctype html>');
      expect(text).not.toContain(payload);
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
        'x-content-type-options': 'nosniff',
      });
    }
  },
);

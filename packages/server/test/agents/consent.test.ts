import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectAccount, type Service, startService } from '../service.js';
import {
  authorizeUrl,
  createBrowser,
  createVerifier,
  FORM,
  grantTokens,
  openSignIn,
  reachConsent,
  type Signing,
} from './sign-in.js';

let service: Service;
let signing: Signing;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar', 'workspace'] });
  await connectAccount(service, 'calendar');
  signing = await openSignIn(service);
});

afterAll(() => service.stop());

const { challenge: CHALLENGE } = createVerifier();

describe('G3: the consent page', () => {
  test.each([
    {
      language: 'en',
      texts: [
        'Allow Desk helper to act for you',
        'Desk helper wants to act for you in Test application, where you are signed in as user_42.',
        'Calendar: read (6 tools) and make changes (6 tools)',
        'a program on this device',
      ],
    },
    { language: 'de', texts: ['Desk helper Zugriff erlauben', 'Calendar: lesen (6 Werkzeuge)'] },
  ])(
    'names the client, the account and the access in $language, without scripts and frames',
    async ({ language, texts }) => {
      const browser = createBrowser();
      const url = authorizeUrl(signing, CHALLENGE, { resource: `${signing.resource}/calendar` });
      const consent = await reachConsent(signing, url, browser);
      const { status, text, csp } = await browser(consent, { headers: { 'accept-language': language } });
      expect(status).toBe(200);
      const plain = text.replaceAll(/<\/?bdi>/g, '');
      for (const expected of texts) expect(plain).toContain(expected);
      expect(csp).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(text).not.toContain('<script');
      expect(plain).not.toContain('Workspace');
    },
  );

  test('says "read only" when the client requests only the read scope', async () => {
    const browser = createBrowser();
    const consent = await reachConsent(
      signing,
      authorizeUrl(signing, CHALLENGE, { scope: 'tools:read' }),
      browser,
    );
    const { text } = await browser(consent);
    expect(text.replaceAll(/<\/?bdi>/g, '')).toContain('Calendar: read only (6 tools)');
    expect(text).not.toContain('make changes');
  });

  test('is displayed again despite an earlier consent', async () => {
    await grantTokens(signing);
    const browser = createBrowser();
    const consent = await reachConsent(signing, authorizeUrl(signing, CHALLENGE), browser);
    expect(await browser(consent)).toMatchObject({ status: 200, location: '' });
  });

  test('ignores a form of another site', async () => {
    const browser = createBrowser();
    const consent = await reachConsent(signing, authorizeUrl(signing, CHALLENGE), browser);
    for (const site of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      const headers = { 'content-type': FORM['content-type'], ...site };
      const forged = await browser(consent, { method: 'POST', headers, body: 'decision=allow' });
      expect([forged.status, forged.location]).toEqual([403, '']);
    }
  });

  test('redirects a double click to the client with one and the same code', async () => {
    const browser = createBrowser();
    const consent = await reachConsent(signing, authorizeUrl(signing, CHALLENGE), browser);
    const press = (decision: string) =>
      browser(consent, { method: 'POST', headers: FORM, body: `decision=${decision}` });
    const both = await Promise.all([press('allow'), press('allow')]);
    expect(new Set(both.map(({ location }) => new URL(location).searchParams.get('code'))).size).toBe(1);
    expect(await press('deny')).toMatchObject({ status: 403, location: '' });
  });

  test('treats every decision except "allow" as a denial, and the request ends', async () => {
    const browser = createBrowser();
    const consent = await reachConsent(signing, authorizeUrl(signing, CHALLENGE), browser);
    const { location } = await browser(consent, { method: 'POST', headers: FORM, body: 'decision=maybe' });
    expect(Object.fromEntries(new URL(location).searchParams)).toEqual({
      error: 'access_denied',
      state: 'of the client',
      iss: signing.issuer,
    });
    const again = await browser(consent, { method: 'POST', headers: FORM, body: 'decision=allow' });
    expect([again.status, again.location]).toEqual([403, '']);
  });
});

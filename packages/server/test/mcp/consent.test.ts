import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectAgent } from '../support/mcp/agent.js';
import {
  authorizeUrl,
  codeForm,
  createBrowser,
  createVerifier,
  FORM,
  grantTokens,
  openSignIn,
  postForm,
  reachConsent,
  type Signing,
} from '../support/mcp/sign-in.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

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
        'Calendar: read data (6 tools) and change data (6 tools)',
        'a program on this device',
      ],
    },
    { language: 'de', texts: ['Desk helper Zugriff erlauben', 'Calendar: Daten lesen (6 Funktionen)'] },
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
    expect(text.replaceAll(/<\/?bdi>/g, '')).toContain('Calendar: only read data (6 tools)');
    expect(text).not.toContain('change data');
  });

  test('lists only services that the user has connected, each with its account', async () => {
    const browser = createBrowser();
    const consent = await reachConsent(signing, authorizeUrl(signing, CHALLENGE), browser);
    const { text } = await browser(consent);
    const plain = text.replaceAll(/<\/?bdi>/g, '');
    expect(plain.match(/name="service\.\w+" checked/g)).toEqual(['name="service.calendar" checked']);
    expect(plain).toContain('Also use services that you connect later in Test application');
  });

  describe('lets the user leave out', () => {
    const ALL = 'decision=allow&choices=1&service.calendar=on&changes=on&later=on';
    const without = (...names: string[]) =>
      names.reduce((form, name) => form.replace(`&${name}=on`, ''), ALL);

    /** Sends the form of the consent page. Returns the scope and the access token of the grant, or the error. */
    async function choose(body: string) {
      const browser = createBrowser();
      const { verifier, challenge } = createVerifier();
      const consent = await reachConsent(signing, authorizeUrl(signing, challenge), browser);
      const { location } = await browser(consent, { method: 'POST', headers: FORM, body });
      const query = new URL(location).searchParams;
      if (query.has('error')) return { error: query.get('error') };
      const form = codeForm(signing, query.get('code') ?? '', verifier);
      const { body: tokens } = await postForm(`${signing.issuer}/token`, form);
      return { scope: tokens['scope'], token: tokens['access_token'] ?? '' };
    }

    /** Lists the tools of a service that the token may use. */
    async function toolsOf(token: string, connector: string) {
      const path = `/mcp/apps/${service.clientId}/${connector}`;
      const client = await connectAgent(service, { token, path });
      const { tools } = await client.listTools();
      await client.close();
      return tools;
    }

    const BOTH = 'tools:read tools:write';

    test.each([
      { title: 'nothing', body: ALL, scope: BOTH, used: ['calendar', 'workspace'] },
      { title: 'changes', body: without('changes'), scope: 'tools:read', used: ['calendar', 'workspace'] },
      { title: 'services that are connected later', body: without('later'), scope: BOTH, used: ['calendar'] },
      { title: 'a connected service', body: without('service.calendar'), scope: BOTH, used: ['workspace'] },
      {
        title: 'a connected service and changes',
        body: without('service.calendar', 'changes'),
        scope: 'tools:read',
        used: ['workspace'],
      },
      {
        title: 'later services, although the form names one that the page did not offer',
        body: `${without('later')}&service.workspace=on`,
        scope: BOTH,
        used: ['calendar'],
      },
    ])('$title', async ({ body, scope, used }) => {
      const grant = await choose(body);
      expect(grant.scope).toBe(scope);
      for (const connector of ['calendar', 'workspace']) {
        const tools = await toolsOf(grant.token ?? '', connector);
        expect([connector, tools.length > 0]).toEqual([connector, used.includes(connector)]);
        const writes = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
        expect(writes.length > 0).toBe(used.includes(connector) && scope === BOTH);
      }
    });

    test('everything, which is a denial', async () => {
      expect(await choose(without('service.calendar', 'later'))).toEqual({ error: 'access_denied' });
    });
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

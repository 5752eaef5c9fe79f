import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SCRIPT_PAYLOADS } from '../../../test/support/secrets/script-payloads.js';
import { COOKIE, createConnect, textOf } from '../../../test/support/service/create-connect.js';

const OPENER = 'https://app.example.com';

const policyOf = (headers: Record<string, unknown>) => String(headers['content-security-policy']);
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Opens every page of an authorization link: the consent question, the cancelled link, a failure and the success. */
async function pagesOf(options: { uiLocales?: string; openerOrigin?: string }, language = 'fr') {
  const connect = await createConnect({ application: { color: '#ffcc00' } });
  const { createLink, decide, open, approve, reachResult, storage, applicationId } = connect;
  await storage.applicationOrigins.replace(applicationId, [OPENER]);
  const headers = { ...COOKIE, 'accept-language': language };
  const failed = (await approve('bob', options)).replace(/code=[\w-]+/, 'error=invalid_scope');
  return {
    ...connect,
    question: await open(await createLink('ada', options), headers),
    cancelled: await decide(await createLink('ada', options), 'deny', headers),
    failed: await open(failed, headers),
    connected: await open(await reachResult('ada', options), headers),
  };
}

const LANGUAGES = [
  { uiLocales: 'de', language: 'en', page: 'de' },
  { uiLocales: 'de-AT', language: 'en', page: 'de' },
  { uiLocales: 'fr de en', language: 'en', page: 'de' },
  { uiLocales: 'EN', language: 'de', page: 'en' },
  { uiLocales: 'fr', language: 'de', page: 'de' },
  { uiLocales: undefined, language: 'de', page: 'de' },
];

test.each(LANGUAGES)(
  'the pages of a link with uiLocales $uiLocales are in "$page" for a browser in "$language"',
  async ({ uiLocales, language, page }) => {
    const { question, cancelled, failed, connected } = await pagesOf(
      uiLocales === undefined ? {} : { uiLocales },
      language,
    );
    for (const { body } of [question, cancelled, failed, connected])
      expect(body).toContain(`<html lang="${page}">`);
  },
);

test('a link keeps its language when it is opened again', async () => {
  const { open, storedLinks } = await pagesOf({ uiLocales: 'de' });
  const links = await storedLinks();
  const ended = links.filter(({ outcome }) => outcome !== null);
  expect(ended).toHaveLength(2);
  for (const { id } of ended)
    expect((await open(`/connect/result/${id}`)).body).toContain('<html lang="de">');
});

test('the color of the application is on every page, with readable text and an exact policy', async () => {
  const { question, cancelled, failed, connected } = await pagesOf({});
  const style = ':root { --main: #ffcc00; --on-main: #000000; }';
  for (const { body, headers } of [question, cancelled, failed, connected]) {
    expect(body).toContain(`<style>${style}</style>`);
    expect(policyOf(headers)).toContain(` ${hashOf(style)}; img-src`);
    expect(policyOf(headers)).not.toMatch(/unsafe|script-src|'self'/);
  }
});

describe('a link in a pop-up', () => {
  const scriptOf = (body: string) => /<script ([^>]*)>(.*?)<\/script>/s.exec(body) ?? [];

  test('reports the outcome to the registered origin, on the last page only', async () => {
    const { question, cancelled, failed, connected } = await pagesOf({ openerOrigin: OPENER });
    expect(question.body).not.toContain('<script');
    const endings = [
      { reply: cancelled, outcome: 'cancelled' },
      { reply: failed, outcome: 'invalid_scope' },
      { reply: connected, outcome: 'connected' },
    ];
    for (const { reply, outcome } of endings) {
      const [, attributes, script = ''] = scriptOf(reply.body);
      expect(attributes).toBe(`data-origin="${OPENER}" data-outcome="${outcome}"`);
      expect(policyOf(reply.headers)).toContain(`script-src ${hashOf(script)};`);
      expect(script).toContain('postMessage');
    }
  });

  test('reports the outcome again when the last page is reloaded', async () => {
    const { open, reachResult } = await pagesOf({});
    const url = await reachResult('eve', { openerOrigin: OPENER });
    for (let times = 0; times < 2; times += 1)
      expect((await open(url)).body).toContain('data-outcome="connected"');
  });

  test('reports nothing to another browser or without the option', async () => {
    const { open, reachResult, connected } = await pagesOf({});
    expect(connected.body).not.toContain('<script');
    const url = await reachResult('eve', { openerOrigin: OPENER });
    const other = await open(url, { cookie: `__Host-svc-browser=${'c'.repeat(43)}` });
    expect(other.body).not.toContain('<script');
    expect(policyOf(other.headers)).not.toContain('script-src');
  });

  test('reports nothing to an origin that is no longer registered', async () => {
    const { open, reachResult, storage, applicationId } = await pagesOf({});
    const url = await reachResult('eve', { openerOrigin: OPENER });
    await storage.applicationOrigins.replace(applicationId, ['https://other.example.com']);
    const { body, headers } = await open(url);
    expect(textOf(body)).toContain('Mail is connected');
    expect(body).not.toContain('<script');
    expect(policyOf(headers)).not.toContain('script-src');
  });

  test.each([
    'https://evil.example',
    '*',
    'null',
    '/',
    `${OPENER}/`,
    `${OPENER}.evil.example`,
    `${OPENER}:444`,
    'https://APP.example.com',
    'http://app.example.com',
    ...SCRIPT_PAYLOADS.slice(0, 5),
  ])('is not created for the unregistered origin %s', async (openerOrigin) => {
    const { createLink, storage, applicationId, storedLinks } = await createConnect();
    await storage.applicationOrigins.replace(applicationId, [OPENER]);
    await expect(createLink('ada', { openerOrigin })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await storedLinks()).toEqual([]);
  });

  test('is not created for the origin of another application', async () => {
    const { createLink, storage, database } = await createConnect();
    const [row] = await database.selectFrom('applications').selectAll().execute();
    if (row)
      await database
        .insertInto('applications')
        .values({ ...row, id: 'app_other' })
        .execute();
    await storage.applicationOrigins.replace('app_other', [OPENER]);
    await expect(createLink('ada', { openerOrigin: OPENER })).rejects.toThrow(/^"openerOrigin" is not/);
  });
});

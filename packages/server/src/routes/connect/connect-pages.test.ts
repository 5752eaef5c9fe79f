import { describe, expect, test } from 'vitest';
import { SCRIPT_PAYLOADS } from '../../../test/support/secrets/script-payloads.js';
import { COOKIE, createConnect } from '../../../test/support/service/create-connect.js';
import type { ConsentRequest } from '../../authorization/permissions.js';
import { cancelledPage, connectPage, connectPreview, problemPage } from './connect-pages.js';
import { LANGUAGES, type Language } from './connect-texts.js';
import { type ProblemName, problemTexts } from './ending-texts.js';
import { resultPage } from './result-page.js';

const RESULT_STATES = ['connected', 'ended', 'verifying', 'open'] as const;

/** Renders every page. Problem pages are rendered twice: with and without the names of application and upstream. */
function everyPage(language: Language, question: ConsentRequest, text: string): readonly string[] {
  const names = Object.keys(problemTexts) as ProblemName[];
  const problems = names.flatMap((name) =>
    [question, undefined].map((parties) =>
      problemPage(language, { name, parties, requestId: text, message: text, isOver: false, retryUrl: '' }),
    ),
  );
  return [
    connectPage(language, question),
    connectPage(language, question, { linkToCopy: text }),
    connectPage(language, { ...question, keyForm: keyFormOf(text) }),
    connectPage(language, { ...question, keyForm: keyFormOf(text) }, { problem: 'refused' }),
    connectPreview(language, question),
    connectPage(language, { ...question, mayReplace: false }),
    ...RESULT_STATES.map((state) =>
      resultPage(language, { state, at: 1, parties: question, denied: question.permissions }),
    ),
    cancelledPage(language, question),
    ...problems,
  ];
}

const keyFormOf = (text: string) => ({
  type: 'api_key' as const,
  credentials: [{ name: 'other', title: text, description: text }],
  steps: [{ en: text, de: text }],
  isTried: true,
});

const questionOf = (text: string): ConsentRequest => ({
  applicationName: text,
  applicationLogo: text,
  applicationColor: '#0f6b5c',
  connectorTitle: text,
  connectorLogo: text,
  identifier: text,
  connectedAs: text,
  mayReplace: true,
  isBegun: false,
  refusesInAppBrowsers: true,
  keyForm: undefined,
  permissions: [{ scope: text }, { en: text, de: text }],
});

const tagsOf = (page: string) =>
  [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/src="[^"]*"/, 'src'));

describe('O19: 30 script payloads', () => {
  test.each(SCRIPT_PAYLOADS)('are escaped on every page: %s', async (payload) => {
    const { app, createLink, createApplication } = await createNamedApplication();
    const url = await createLink(payload);
    const query = new URLSearchParams(
      Object.fromEntries(
        ['state', 'code', 'error', 'error_description', 'iss', 'x'].map((name) => [name, payload]),
      ),
    );
    const headers = { ...COOKIE, 'accept-language': payload };
    const pages = [
      await app.inject({ url: `${url}?${query}`, headers }),
      await app.inject({ url: `/connect/${encodeURIComponent(payload)}`, headers }),
      await app.inject({
        url: `/sso/v1/oauth/${encodeURIComponent(payload)}/callback?${query}`,
        headers,
      }),
      await app.inject({ url: await createApplication(payload), headers }),
    ];
    for (const { body } of pages) expect(body).not.toContain(payload);
    expect(pages.map(({ statusCode }) => statusCode)).toEqual([200, 404, 403, 200]);
  });

  // Compares a page that shows a script payload with the same page with harmless text. Tags and attributes must be
  // equal.
  test.each(SCRIPT_PAYLOADS)('appear only as text on every page in every language: %s', (payload) => {
    for (const language of LANGUAGES) {
      const pages = everyPage(language, questionOf(payload), payload);
      const harmless = everyPage(language, questionOf('svg'), 'svg');
      expect(pages.map(tagsOf)).toEqual(harmless.map(tagsOf));
      for (const page of pages) expect(page).not.toContain(payload);
    }
  });

  async function createNamedApplication() {
    const connect = await createConnect();
    const createApplication = async (name: string) => {
      await connect.database.updateTable('applications').set({ name }).execute();
      return connect.createLink();
    };
    return { ...connect, createApplication };
  }

  test('are 30 different ones', () => {
    expect(new Set(SCRIPT_PAYLOADS).size).toBe(30);
  });
});

describe('every connect page', () => {
  const pages = LANGUAGES.flatMap((language) =>
    everyPage(language, questionOf('Acme Notes'), 'req_1').map((page) => ({
      language,
      title: /<title>(.*)<\/title>/.exec(page)?.[1],
      page,
    })),
  );

  test.each(pages)('is accessible to screen readers: $language, $title', ({ language, title, page }) => {
    expect(page).toContain(`<html lang="${language}">`);
    expect(page.match(/<main>/g)).toHaveLength(1);
    expect(page.match(/<h1>/g)).toHaveLength(1);
    expect(page.replaceAll(/<\/?bdi>/g, '')).toContain(`<h1>${title}</h1>`);
    for (const [image] of page.matchAll(/<img[^>]*>/g)) expect(image).toMatch(/ alt="">$/);
    expect(page).not.toMatch(/<script|\son\w+=|\sstyle=|\{\w+\}[^{}]*<\/(?:p|h1|li)>/);
  });
});

import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { partOf } from '../../server/test/support/part-of.ts';
import { owner, stage, visit } from './support/visit.ts';

const PHONE = { width: 320, height: 568, hasScript: false };

interface Link {
  readonly link: string;
  /** Path of the account in the operator API. */
  readonly account: string;
}

async function makeLink(connection = 'calendar'): Promise<Link> {
  const account = `/connections/${connection}/accounts/${crypto.randomUUID()}`;
  const path = `/applications/${stage().subjects['applicationId']}${account}/authorization-link`;
  const { call } = await owner();
  return { account, ...(await call<{ link: string }>('POST', path)) };
}

/** Begins the consent of a link. Resolves to the link, and to the redirect URI and state that the upstream got. */
async function begin(page: Page): Promise<Link & { readonly callback: URL }> {
  const made = await makeLink();
  await page.goto(made.link);
  const asked = page.waitForRequest((request) => request.url().includes('redirect_uri='));
  await page.locator('button').first().click();
  const { searchParams } = new URL((await asked).url());
  await page.getByRole('button', { name: /allow/i }).waitFor();
  const callback = new URL(searchParams.get('redirect_uri') ?? '');
  callback.searchParams.set('state', searchParams.get('state') ?? '');
  return { ...made, callback };
}

/** Returns from the upstream with an error of OAuth. */
const failWith = (error: string) => async (page: Page) => {
  const { callback } = await begin(page);
  callback.searchParams.set('error', error);
  await page.goto(callback.href);
};

async function decide(page: Page, decision: RegExp): Promise<Link & { readonly callback: URL }> {
  const begun = await begin(page);
  await page.getByRole('button', { name: decision }).click();
  await page.waitForURL(/\/connect\/result\/|\/callback/);
  return begun;
}

interface State {
  readonly state: string;
  readonly open: (page: Page) => Promise<unknown>;
  /** Parts of the heading in English and German. */
  readonly heading: Readonly<Record<'en' | 'de', RegExp>>;
}

const STATES: readonly State[] = [
  {
    state: 'consent request',
    open: async (page) => page.goto((await makeLink()).link),
    heading: { en: /^Connect /, de: / verbinden$/ },
  },
  {
    state: 'form for a key',
    open: async (page) => page.goto((await makeLink('network')).link),
    heading: { en: /^Connect /, de: / verbinden$/ },
  },
  {
    state: 'connected account',
    open: (page) => decide(page, /allow/i),
    heading: { en: / is connected$/, de: / ist verbunden$/ },
  },
  {
    state: 'denied consent',
    open: (page) => decide(page, /deny/i),
    heading: { en: /You did not consent/, de: /Sie haben nicht zugestimmt/ },
  },
  {
    state: 'link whose consent has begun',
    open: async (page) => page.goto((await begin(page)).link),
    heading: { en: /^Connect /, de: / verbinden$/ },
  },
  {
    state: 'link that was used in another browser',
    open: async (page) => {
      const { page: other } = await visit(onTestFinished);
      return page.goto((await begin(other)).link);
    },
    heading: { en: /already used/, de: /bereits verwendet/ },
  },
  {
    state: 'unknown link',
    open: (page) => page.goto('/connect/unknown'),
    heading: { en: /does not exist/, de: /gibt es nicht/ },
  },
  {
    state: 'step that is already done',
    open: async (page) => {
      const { callback } = await decide(page, /allow/i);
      callback.searchParams.set('code', 'used');
      return page.goto(callback.href);
    },
    heading: { en: / is connected$|already done|no longer valid/, de: / verbunden$|erledigt|nicht mehr/ },
  },
  {
    state: 'link of an account that was disconnected',
    open: async (page) => {
      const { account, link } = await decide(page, /allow/i);
      const { call } = await owner();
      await call('POST', `/applications/${stage().subjects['applicationId']}${account}/revoke`);
      return page.goto(link);
    },
    heading: { en: /does not exist/, de: /gibt es nicht/ },
  },
  {
    state: 'consent that began in another browser',
    open: async (page) => {
      const { page: other } = await visit(onTestFinished);
      const { callback } = await begin(other);
      callback.searchParams.set('code', 'code');
      return page.goto(callback.href);
    },
    heading: { en: /another browser|no cookie/, de: /anderen Browser|kein Cookie/ },
  },
  {
    state: 'unknown permission',
    open: failWith('invalid_scope'),
    heading: { en: /requested permission/, de: /Berechtigung/ },
  },
  {
    state: 'client that the upstream does not accept',
    open: failWith('unauthorized_client'),
    heading: { en: /does not accept this application/, de: /Anwendung/ },
  },
  {
    state: 'temporary failure of the upstream',
    open: failWith('temporarily_unavailable'),
    heading: { en: /has a problem/, de: /Störung/ },
  },
  {
    state: 'other refusal of the upstream',
    open: failWith('invalid_request'),
    heading: { en: /refused the connection/, de: /abgelehnt/ },
  },
];

const LANGUAGES = [
  { language: 'en', locale: 'en-GB' },
  { language: 'de', locale: 'de-DE' },
] as const;

/** Checks that the page says what happened and what to do, within the width of a small phone. */
async function checkPage(page: Page, heading: RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  const facts = await page.evaluate(() => ({
    headings: document.querySelectorAll('h1').length,
    overflow: document.documentElement.scrollWidth > innerWidth,
    lead: [...document.querySelectorAll('main p, p')].some((text) => (text.textContent ?? '').length > 20),
    // Buttons are the next step of a page that asks. Other pages say the next step in a text.
    hidden: [...document.querySelectorAll('button')].filter((button) => {
      const { top, bottom } = button.getBoundingClientRect();
      return top < 0 || bottom > innerHeight;
    }).length,
  }));
  expect(facts).toEqual({ headings: 1, overflow: false, lead: true, hidden: 0 });
}

const CASES = STATES.flatMap((state) => LANGUAGES.map((language) => ({ ...state, ...language })));

test.each(partOf(CASES, 8))(
  'the page of the $state works on a small phone without script, after a reload and Back: $language',
  async ({ open, heading, language, locale }) => {
    const { page } = await visit(onTestFinished, { ...PHONE, locale });
    await open(page);
    await checkPage(page, heading[language]);
    await page.reload();
    await checkPage(page, heading[language]);
    await page.goto('/connect/another-page');
    await page.goBack();
    await checkPage(page, heading[language]);
  },
);

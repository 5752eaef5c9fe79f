import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { findBarriers } from './support/check-page.ts';
import { owner, stage, visit } from './support/visit.ts';

const PHONE = 320;

async function makeLink(options: object = {}): Promise<string> {
  const { applicationId } = stage().subjects;
  const account = `/applications/${applicationId}/connections/calendar/accounts/${crypto.randomUUID()}`;
  const { call } = await owner();
  return (await call<{ link: string }>('POST', `${account}/authorization-link`, options)).link;
}

/** Opens a link, and gives or denies consent at the upstream. */
async function decide(page: Page, decision: RegExp): Promise<void> {
  await page.goto(await makeLink());
  await page.locator('button.primary, button').first().click();
  await page.getByRole('button', { name: decision }).click();
  await page.waitForURL(/\/callback|\/connect\/result\//);
}

/** Begins the consent of a link, and waits for the upstream's page. */
async function begin(page: Page): Promise<string> {
  const link = await makeLink();
  await page.goto(link);
  await page.locator('button').first().click();
  await page.getByRole('button', { name: /allow/i }).waitFor();
  return link;
}

async function useElsewhere(page: Page): Promise<void> {
  const { page: other } = await visit(onTestFinished);
  const link = await begin(other);
  await page.goto(link);
}

const PAGES = [
  { title: 'the consent request', open: async (page: Page) => void (await page.goto(await makeLink())) },
  { title: 'the success', open: (page: Page) => decide(page, /allow/i) },
  { title: 'the denied consent', open: (page: Page) => decide(page, /deny/i) },
  { title: 'the used link', open: useElsewhere },
  {
    title: 'the connection that was begun before',
    open: async (page: Page) => void (await page.goto(await begin(page))),
  },
  { title: 'the unknown link', open: async (page: Page) => void (await page.goto('/connect/unknown')) },
];
const LANGUAGES = [
  { locale: 'en-GB', language: 'en' },
  { locale: 'de-DE', language: 'de' },
] as const;

const CASES = PAGES.flatMap((each) => LANGUAGES.map((language) => ({ ...each, ...language })));

test.each(CASES)(
  'the page of $title in "$language" fits a phone and has no scripts and no accessibility faults',
  async ({ locale, language, open }) => {
    const { page } = await visit(onTestFinished, { locale, width: PHONE });
    await open(page);
    const facts = await page.evaluate(() => ({
      language: document.documentElement.lang,
      scripts: document.querySelectorAll('script, [onclick], [onload]').length,
      headings: document.querySelectorAll('h1').length,
      overflow: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    }));
    expect(facts).toEqual({ language, scripts: 0, headings: 1, overflow: false });
    const faults: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      faults.push(...(await findBarriers(page)).map((fault) => `${colorScheme}: ${fault}`));
    }
    expect(faults).toEqual([]);
  },
);

test.each(LANGUAGES)(
  'the buttons of the connect page stay in view on a small phone: $language',
  async ({ locale }) => {
    const { page } = await visit(onTestFinished, { locale, width: 320, height: 568 });
    await page.goto(await makeLink());
    const outside = () =>
      page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth > innerWidth,
        scrolls: document.documentElement.scrollHeight > innerHeight,
        hidden: [...document.querySelectorAll('button')].filter((button) => {
          const { top, bottom } = button.getBoundingClientRect();
          return top < 0 || bottom > innerHeight;
        }).length,
      }));
    expect(await outside()).toEqual({ overflow: false, scrolls: true, hidden: 0 });
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 4));
    expect(await outside()).toMatchObject({ hidden: 0 });
  },
);

/** Serves a page that opens a link in a pop-up, collects messages and counts them. Resolves to its origin. */
async function serveOpener(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><title>Opener</title><script>messages=[];onmessage=({data,origin})=>messages.push({data,origin})</script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a link in a pop-up reports its outcome to the registered origin, and nothing to another opener', async () => {
  const [registered, other] = [await serveOpener(), await serveOpener()];
  const { applicationId } = stage().subjects;
  const { call } = await owner();
  const path = `/applications/${applicationId}`;
  const { origins } = await call<{ origins: string[] }>('GET', path);
  await call('PATCH', path, { origins: [...origins, registered] });
  onTestFinished(() => call('PATCH', path, { origins }).then(() => undefined));
  const messages: unknown[] = [];
  for (const opener of [registered, other]) {
    const { page, problems } = await visit(onTestFinished);
    await page.goto(opener);
    const link = await makeLink({ openerOrigin: registered });
    const opened = page.waitForEvent('popup');
    await page.evaluate((url) => void open(url), link);
    const popup = await opened;
    await popup.locator('button').first().click();
    await popup.getByRole('button', { name: /allow/i }).click();
    await popup.waitForURL(/\/connect\/result\//);
    await popup.locator('h1').waitFor();
    messages.push(await page.evaluate(() => (globalThis as unknown as { messages: unknown[] }).messages));
    expect(problems.filter((problem) => problem.includes('Content Security'))).toEqual([]);
  }
  const data = { type: 'svc.authorization_link', outcome: 'connected' };
  expect(messages).toEqual([[{ data, origin: new URL(stage().url).origin }], []]);
});

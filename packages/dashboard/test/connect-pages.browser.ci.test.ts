import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { partOf } from '../../server/test/support/part-of.ts';
import { findBarriers } from './support/check-page.ts';
import { owner, stage, visit } from './support/visit.ts';

const PHONE = 390;

async function makeLink(): Promise<string> {
  const { applicationId } = stage().subjects;
  const account = `/applications/${applicationId}/connections/calendar/accounts/${crypto.randomUUID()}`;
  const { call } = await owner();
  return (await call<{ link: string }>('POST', `${account}/authorization-link`, {})).link;
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

test.each(partOf(CASES, 5))(
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

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { CONSENT_STATES } from './support/connect-consent-states.ts';
import { LINK_STATES } from './support/connect-link-states.ts';
import { type ConnectService, startConnectService } from './support/connect-service.ts';
import type { Next } from './support/connect-state.ts';
import { UPSTREAM_STATES } from './support/connect-upstream-states.ts';
import { visit } from './support/visit.ts';

const PHONE = { width: 320, height: 568, hasScript: false };

const LANGUAGES = [
  { language: 'en', locale: 'en-GB' },
  { language: 'de', locale: 'de-DE' },
] as const;

/** Next steps in English and German: the name of a button or a link, or a part of a text. */
const NEXT: Readonly<Record<Next, Readonly<Record<'en' | 'de', RegExp>>>> = {
  decide: { en: /^(Continue to|Connect) /, de: /^Weiter zu | verbinden$/ },
  close: { en: /You can close this window/, de: /Sie können dieses Fenster schließen/ },
  finishThere: { en: /^Go back to .+ to finish/, de: /^Gehen Sie zurück zu/ },
  startAgain: { en: /[Gg]o back to .+ start again/, de: /[Gg]ehen Sie zurück .+ beginnen Sie von vorn/ },
  tryAgain: { en: /^Try again$/, de: /^Noch einmal versuchen$/ },
  checkAgain: { en: /^Check again$/, de: /^Noch einmal prüfen$/ },
  contactSupport: { en: /Contact the support of/, de: /Wenden Sie sich an den Support/ },
};

let service: ConnectService;
beforeAll(async () => {
  service = await startConnectService();
});
afterAll(() => service?.stop());

interface Expected {
  readonly language: 'en' | 'de';
  readonly heading: string;
  readonly next: RegExp;
  readonly notice: RegExp | undefined;
}

/** Checks that the page says what happened and what to do, within the width of a small phone. */
async function checkPage(page: Page, { language, heading, next, notice = next }: Expected): Promise<void> {
  await expect.poll(() => page.locator('h1').textContent()).toBe(heading);
  const facts = await page.evaluate(() => {
    const texts = [...document.querySelectorAll('main p, main button, main a, main h2')];
    const hidden = [...document.querySelectorAll('button')].filter((button) => {
      const { top, bottom } = button.getBoundingClientRect();
      return top < 0 || bottom > innerHeight;
    });
    return {
      language: document.documentElement.lang,
      headings: document.querySelectorAll('h1').length,
      overflow: document.documentElement.scrollWidth > innerWidth,
      hidden: hidden.length,
      texts: texts.map((text) => text.textContent?.trim() ?? ''),
    };
  });
  const texts = expect.arrayContaining([expect.stringMatching(next), expect.stringMatching(notice)]);
  expect(facts).toEqual({ language, headings: 1, overflow: false, hidden: 0, texts });
}

const STATES = [...LINK_STATES, ...CONSENT_STATES, ...UPSTREAM_STATES];
const CASES = STATES.flatMap((state) => LANGUAGES.map((language) => ({ ...state, ...language })));

test.each(CASES)(
  'the page of the $state works on a small phone without script, after a reload and Back: $language',
  async ({ open, heading, next, notice, isBrief = false, isConnected = false, language, locale }) => {
    const { page } = await visit(onTestFinished, { ...PHONE, locale, url: service.url });
    onTestFinished(() => service.sandbox.reset());
    const openOther = async () => (await visit(onTestFinished, { url: service.url })).page;
    const texts = { heading: heading[language], next: NEXT[next][language], notice: notice?.[language] };
    const expected = { language, ...texts };
    const link = await open({ page, service, openOther });
    await checkPage(page, expected);
    if (!isBrief) {
      await page.reload();
      await checkPage(page, expected);
      await page.goto('/connect/another-page');
      await page.goBack();
      await checkPage(page, expected);
    }
    if (link === undefined) return;
    const { status } = await service.call<{ status: string }>('GET', link.account);
    expect(status === 'authorized').toBe(isConnected);
  },
);

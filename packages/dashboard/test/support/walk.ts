import type { Page } from 'playwright-core';

/** Waits until the page has a heading and shows what it loads. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isWaiting = document.querySelector('.waiting, [aria-busy="true"]') !== null;
    return document.querySelector('h1') !== null && !isWaiting;
  });
}

const MOST_PAGES = 20;

/** Turns the pages of a list until there is no next one; `see` is called on each. */
export async function readOn(page: Page, see: () => Promise<void>): Promise<void> {
  const next = page.getByRole('button', { name: 'Next', exact: true });
  for (let turned = 0; turned < MOST_PAGES; turned += 1) {
    await see();
    if ((await next.count()) === 0 || (await next.first().isDisabled())) return;
    await next.first().click();
    await settled(page);
  }
}

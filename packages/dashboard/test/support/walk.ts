import type { Page } from 'playwright-core';

/** Waits until the page has a heading and its data is loaded. */
export async function waitForData(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isWaiting = document.querySelector('.waiting, [aria-busy="true"]') !== null;
    return document.querySelector('h1') !== null && !isWaiting;
  });
}

const MAX_PAGES = 20;

/** Calls `visit` on each page of a list. */
export async function forEachPage(page: Page, visit: () => Promise<void>): Promise<void> {
  const next = page.getByRole('button', { name: 'Next', exact: true });
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    await visit();
    if ((await next.count()) === 0 || (await next.first().isDisabled())) return;
    await next.first().click();
    await waitForData(page);
  }
}

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { PAGES } from '../src/pages.ts';
import { hrefOf } from '../src/paths.ts';
import { findBarriers } from './support/check-page.ts';
import { findFocusFaults } from './support/keyboard.ts';
import { owner, stage, type Visit, visit } from './support/visit.ts';
import { waitForData } from './support/walk.ts';

const DESKTOP = { width: 1280, height: 800 };
const LOOKS = [
  { look: 'light', colorScheme: 'light', size: DESKTOP },
  { look: 'dark', colorScheme: 'dark', size: DESKTOP },
  { look: 'phone', colorScheme: 'light', size: { width: 390, height: 844 } },
] as const;

/** Finds elements that are wider than the window, because they make the whole page scroll horizontally. */
const findOverflow = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth && element.closest('.table') === null,
    );
    return wide.slice(-3).map(({ outerHTML }) => `wider than the window: ${outerHTML.slice(0, 200)}`);
  });

/** Finds the accessibility and layout faults of a page for one combination of colour scheme and window size. */
async function findFaults(page: Page, { look, colorScheme, size }: (typeof LOOKS)[number]) {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(size);
  const faults = [...(await findBarriers(page)), ...(await findOverflow(page))];
  return faults.map((fault) => `${look}: ${fault}`);
}

// All tests share one window, because opening a window takes as long as loading a page.
let visited: Visit;
beforeAll(async () => {
  const ends: (() => Promise<void>)[] = [];
  visited = await visit((end) => void ends.push(end), { as: await owner() });
  return () => Promise.all(ends.map((end) => end()));
});

test.each(PAGES)('$path opens without errors and accessibility faults', async ({ path }) => {
  const { page, problems } = visited;
  problems.length = 0;
  await page.setViewportSize(DESKTOP);
  await page.goto(hrefOf(path, stage().subjects));
  await waitForData(page);
  // The title follows the page in an effect.
  await expect.poll(() => page.title()).toMatch(/^\S.* · Dashboard$/);
  expect(await page.locator('h1').count()).toBe(1);
  expect(await findFocusFaults(page)).toEqual([]);
  const faults: string[] = [];
  for (const look of LOOKS) faults.push(...(await findFaults(page, look)));
  expect({ faults, problems }).toEqual({ faults: [], problems: [] });
});

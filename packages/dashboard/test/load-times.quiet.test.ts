import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { owner, visit } from './support/visit.ts';
import { waitForData } from './support/walk.ts';

const FIRST_MS = 300;
const LATER_MS = 100;
const MAX_ROUNDS = 10;
/** The factor for the limits: 1 for full runs on an idle machine, otherwise 4. */
const TOLERANCE = process.env['SVC_TEST_FULL'] === '1' ? 1 : 4;

/** Repeats a round until its result is fast enough, and returns the last result. */
async function best<Result>(
  round: () => Promise<Result>,
  isFast: (result: Result) => boolean,
): Promise<Result> {
  let result = await round();
  for (let rounds = 1; rounds < MAX_ROUNDS && !isFast(result); rounds += 1) result = await round();
  return result;
}

/** The time from the start of the navigation until the data of the page is painted. */
const firstPaintMs = (page: Page): Promise<number> =>
  page.evaluate(() => performance.getEntriesByName('painted')[0]?.startTime ?? Number.NaN);

/** Marks the first frame that shows a page with its data, and logs it to the console. */
function watch(): void {
  const isLoaded = () =>
    document.querySelector('h1') !== null && document.querySelector('.waiting, [aria-busy="true"]') === null;
  const look = () => {
    if (document.readyState === 'loading' || !isLoaded()) requestAnimationFrame(look);
    else
      requestAnimationFrame(() =>
        setTimeout(() => {
          performance.mark('painted');
          // biome-ignore lint/suspicious/noConsole: the test waits for this message.
          console.debug('painted');
        }),
      );
  };
  look();
}

/** The time from the click on a navigation link until its page is painted with its data. */
function followMs(href: string): Promise<number> {
  const link = document.querySelector<HTMLElement>(`nav a[href="${href}"]`);
  return new Promise((resolve) => {
    const before = document.querySelector('h1');
    const started = performance.now();
    const look = () => {
      const heading = document.querySelector('h1');
      const isLoaded = heading !== null && heading !== before && document.querySelector('.waiting') === null;
      if (isLoaded) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)));
      else requestAnimationFrame(look);
    };
    link?.click();
    look();
  });
}

async function openFirst(): Promise<number> {
  const ends: (() => Promise<void>)[] = [];
  const { page } = await visit((end) => ends.push(end), { as: await owner() });
  await page.addInitScript(watch);
  // Playwright's own waits run a script in the page, which would add 30 ms to the measured time.
  const painted = page.waitForEvent('console', (message) => message.text() === 'painted');
  await Promise.all([painted, page.goto('/dashboard')]);
  const ms = await firstPaintMs(page);
  await Promise.all(ends.map((end) => end()));
  return ms;
}

test('the first page loads within 300 ms', async () => {
  const first = await best(openFirst, (ms) => ms <= FIRST_MS * TOLERANCE);
  expect(first).toBeLessThanOrEqual(FIRST_MS * TOLERANCE);
});

test('each later page loads within 100 ms', async () => {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.goto('/dashboard');
  await waitForData(page);
  const links = await page.locator('nav a').all();
  const hrefs = await Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''));
  const later = new Map<string, number>();
  const slow = await best(
    async () => {
      for (const href of [...hrefs.slice(1), ...hrefs.slice(0, 1)]) {
        const ms = await page.evaluate(followMs, href);
        later.set(href, Math.min(ms, later.get(href) ?? Number.POSITIVE_INFINITY));
      }
      return [...later].filter(([, ms]) => ms > LATER_MS * TOLERANCE);
    },
    (still) => still.length === 0,
  );
  expect(slow).toEqual([]);
});

import { statSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { owner, visit } from './support/visit.ts';
import { settled } from './support/walk.ts';

const BUILT = path.join(import.meta.dirname, '../dist');
const MOST_BYTES = 100_000;
const FIRST_MS = 300;
const LATER_MS = 100;
/** Other tests have the machine at the same time: the best of up to so many counts, against a multiple of what must hold. */
const MOST_ROUNDS = 20;
const SHARED = 4;

/** Repeats it until what it gives is soon enough; gives the last. */
async function best<Result>(
  round: () => Promise<Result>,
  isSoon: (result: Result) => boolean,
): Promise<Result> {
  let result = await round();
  for (let rounds = 1; rounds < MOST_ROUNDS && !isSoon(result); rounds += 1) result = await round();
  return result;
}

async function openDashboard(): Promise<Page> {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.goto('/dashboard');
  await settled(page);
  return page;
}

/** From the beginning of the navigation until what the page is about has been painted. */
const firstPaintMs = (page: Page): Promise<number> =>
  page.evaluate(() => performance.getEntriesByName('shown')[0]?.startTime ?? Number.NaN);

/** Marks the first frame that shows a page with its data. */
function watch(): void {
  const isShown = () =>
    document.querySelector('h1') !== null && document.querySelector('.waiting, [aria-busy="true"]') === null;
  const look = () => {
    if (document.readyState === 'loading' || !isShown()) requestAnimationFrame(look);
    else requestAnimationFrame(() => setTimeout(() => performance.mark('shown')));
  };
  look();
}

/** From the click on a link of the navigation until its page with its data has been painted. */
function followMs(name: string): Promise<number> {
  const link = [...document.querySelectorAll<HTMLElement>('nav a')].find((each) => each.textContent === name);
  return new Promise((resolve) => {
    const before = document.querySelector('h1');
    const started = performance.now();
    const look = () => {
      const heading = document.querySelector('h1');
      const isShown = heading !== null && heading !== before && document.querySelector('.waiting') === null;
      if (isShown) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)));
      else requestAnimationFrame(look);
    };
    link?.click();
    look();
  });
}

test('the first page brings at most 100 kB of scripts and styles, compressed', async () => {
  const page = await openDashboard();
  const addresses = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  );
  const files = addresses.filter((address) => /\.(js|css)$/.test(address));
  const sizes = files.map((file) => statSync(path.join(BUILT, `${file.replace('/dashboard/', '')}.gz`)).size);
  expect(files.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MOST_BYTES);
});

test('the first page is there within 300 ms, and each later one within 100 ms', async () => {
  const first = await best(
    async () => {
      const { page } = await visit(onTestFinished, { as: await owner() });
      await page.addInitScript(watch);
      await page.goto('/dashboard');
      await page.waitForFunction(() => performance.getEntriesByName('shown').length > 0);
      return firstPaintMs(page);
    },
    (ms) => ms <= FIRST_MS * SHARED,
  );
  expect(first).toBeLessThanOrEqual(FIRST_MS * SHARED);
  const page = await openDashboard();
  const names = await page.locator('nav a').allInnerTexts();
  const later = new Map<string, number>();
  const slow = await best(
    async () => {
      for (const name of [...names.slice(1), ...names.slice(0, 1)]) {
        const ms = await page.evaluate(followMs, name);
        later.set(name, Math.min(ms, later.get(name) ?? Number.POSITIVE_INFINITY));
      }
      return [...later].filter(([, ms]) => ms > LATER_MS * SHARED);
    },
    (still) => still.length === 0,
  );
  expect(slow).toEqual([]);
});

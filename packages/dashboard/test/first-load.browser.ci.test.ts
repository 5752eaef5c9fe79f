import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { owner, stage, visit } from './support/visit.ts';
import { waitForData } from './support/walk.ts';

const OVERVIEW = '/operator/v1/overview';

const BUILT = path.join(import.meta.dirname, '../dist');
const MAX_BYTES = 60_000;

test('the first page loads at most 60 kB of compressed scripts and styles', async () => {
  const { page } = await visit(onTestFinished, { as: await owner() });
  // Without idle callbacks, the dashboard does not load the scripts of other pages ahead.
  await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: undefined }));
  await page.goto('/dashboard');
  await waitForData(page);
  const addresses = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  );
  const files = addresses.filter((address) => /\.(js|css)$/.test(address));
  const sizes = files.map((file) => statSync(path.join(BUILT, `${file.replace('/dashboard/', '')}.gz`)).size);
  expect(files.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MAX_BYTES);
});

test('the overview is requested once, by a preload link before the script runs', async () => {
  const { page, problems } = await visit(onTestFinished, { as: await owner() });
  const queries: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === OVERVIEW) queries.push(search);
  });
  const initiators = () =>
    page.evaluate((path) => {
      const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      return all.filter(({ name }) => name.includes(path)).map(({ initiatorType }) => initiatorType);
    }, OVERVIEW);
  const open = async () => {
    await page.goto('/dashboard');
    await waitForData(page);
    return initiators();
  };

  // The service preloads the first application, because this browser has no cookie with the last application yet.
  expect(await open()).toEqual(['link']);
  const { applicationId = '' } = stage().subjects;
  await page.goto(`/dashboard/applications/${applicationId}`);
  await waitForData(page);
  expect(await open()).toEqual(['link']);
  expect(queries).toEqual(['', `?applicationId=${applicationId}`]);
  expect(problems).toEqual([]);
});

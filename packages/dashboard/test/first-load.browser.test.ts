import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { owner, visit } from './support/visit.ts';
import { settled } from './support/walk.ts';

const BUILT = path.join(import.meta.dirname, '../dist');
const MOST_BYTES = 100_000;

test('the first page brings at most 100 kB of scripts and styles, compressed', async () => {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.goto('/dashboard');
  await settled(page);
  const addresses = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  );
  const files = addresses.filter((address) => /\.(js|css)$/.test(address));
  const sizes = files.map((file) => statSync(path.join(BUILT, `${file.replace('/dashboard/', '')}.gz`)).size);
  expect(files.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MOST_BYTES);
});

import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from './support/start-service.ts';
import { visit } from './support/visit.ts';

/** Within two minutes a person is to have read, understood and clicked; the service's part of it is this. */
const MOST_MS = 20_000;

test('a first start leads by its one-time link to a sandbox account and a tool called in the playground', async () => {
  const service = await startService();
  onTestFinished(service.stop);
  // Where no person reads along, the link stands in a file.
  const [, file = ''] = /Sign in as admin.*the link in (\S+),/.exec(service.printed) ?? [];
  const [link = ''] = /http:\S+#\S+/.exec(readFileSync(file, 'utf8')) ?? [];
  const { page, problems } = await visit(onTestFinished, { url: service.url });
  const began = performance.now();
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Connect a sandbox account' }).click();
  await page.getByRole('link', { name: /^Try “/ }).click();
  await page.getByRole('button', { name: 'Run as first-user' }).click();
  await page
    .getByText(/^Done in /)
    .first()
    .waitFor();
  expect(performance.now() - began).toBeLessThan(MOST_MS);
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('1 call').first().waitFor();
  expect(problems).toEqual([]);
});

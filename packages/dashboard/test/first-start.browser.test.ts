import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from './support/start-service.ts';
import { visit } from './support/visit.ts';

/** The limit for the service, because a person should finish the first start within two minutes. */
const MAX_MS = 20_000;

test('the one-time link of the first start leads to a sandbox account and a tool call in the playground', async () => {
  const service = await startService();
  onTestFinished(service.stop);
  // The service writes the link to a file if it has no terminal.
  const [, file = ''] = /Sign in as admin.*the link is in (\S+),/.exec(service.printed) ?? [];
  const [link = ''] = /http:\S+#\S+/.exec(readFileSync(file, 'utf8')) ?? [];
  const { page, problems } = await visit(onTestFinished, { url: service.url });
  const began = performance.now();
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Connect sandbox account' }).click();
  await page.getByRole('link', { name: /^Try “/ }).click();
  await page.getByRole('button', { name: 'Run as first-user' }).click();
  await page
    .getByText(/^Finished in /)
    .first()
    .waitFor();
  expect(performance.now() - began).toBeLessThan(MAX_MS);
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('1 call').first().waitFor();
  expect(problems).toEqual([]);
});

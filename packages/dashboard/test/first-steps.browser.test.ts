import { expect, onTestFinished, test } from 'vitest';
import { signIn } from './support/operator.ts';
import { startService } from './support/start-service.ts';
import { visit } from './support/visit.ts';

const PASSWORD = 'orchid-battery-7';
/** Within two minutes a person is to have read, understood and clicked; the service's part of it is this. */
const MOST_MS = 20_000;

test('a new installation leads to a sandbox account and a tool that was called, by three clicks', async () => {
  const service = await startService({ SVC_FIRST_OPERATOR_PASSWORD: PASSWORD });
  onTestFinished(service.stop);
  const { url } = service;
  const { page, problems } = await visit(onTestFinished, {
    url,
    as: await signIn({ url, password: PASSWORD }),
  });
  const began = performance.now();
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Connect a sandbox account' }).click();
  await page.getByRole('link', { name: /^Try “/ }).click();
  await page.getByRole('button', { name: 'Run as first-user' }).click();
  await page
    .getByText(/^Done in/)
    .first()
    .waitFor();
  expect(performance.now() - began).toBeLessThan(MOST_MS);
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'The last 24 hours' }).waitFor();
  await page.getByRole('link', { name: '1 call' }).waitFor();
  expect(problems).toEqual([]);
});

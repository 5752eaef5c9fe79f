import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../scripts/free-port.ts';
import { startPrefixProxy } from '../../../scripts/prefix-proxy.ts';
import { startService } from './support/start-service.ts';
import { visit } from './support/visit.ts';

test('the dashboard works below a path, from the one-time link to a reloaded page', async () => {
  const [port, servicePort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}/svc`;
  const proxy = await startPrefixProxy({ port, prefix: '/svc', servicePort });
  onTestFinished(proxy.stop);
  const service = await startService({ SVC_PORT: String(servicePort), SVC_ENVIRONMENT_URL: url });
  onTestFinished(service.stop);
  const [, file = ''] = /Sign in as admin.*the link is in (\S+),/.exec(service.printed) ?? [];
  const [link = ''] = /http:\S+#\S+/.exec(readFileSync(file, 'utf8')) ?? [];
  const { page, problems } = await visit(onTestFinished, { url });
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Connect sandbox account' }).click();
  await page.getByRole('link', { name: /^Try “/ }).click();
  await page.getByRole('button', { name: 'Run as first-user' }).click();
  await page
    .getByText(/^Finished in /)
    .first()
    .waitFor();
  await page.getByRole('link', { name: 'Executions' }).click();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Executions' }).waitFor();
  expect(page.url()).toMatch(/^http:\/\/localhost:\d+\/svc\/dashboard\/applications\/[^/]+\/executions$/);
  await page.goto(`${url}/`);
  await page.getByText('1 call').first().waitFor();
  expect(problems).toEqual([]);
});

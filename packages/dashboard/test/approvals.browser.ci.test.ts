import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { hrefOf, PATHS } from '../src/paths.ts';
import { askForAd } from './support/ask-for-ad.ts';
import type { Operator } from './support/operator.ts';
import { owner, stage, visit } from './support/visit.ts';
import { settled } from './support/walk.ts';

interface Approval {
  readonly id: string;
  readonly status: string;
  readonly reason?: string;
}

const subject = (name: string): string => stage().subjects[name] ?? '';

const call = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> =>
  (await owner()).call(method, `/applications/${subject('applicationId')}${path}`, body);

async function open(path: string, as: Operator, parameters = {}): Promise<Page> {
  const { page } = await visit(onTestFinished, { as });
  await page.goto(hrefOf(path, { ...stage().subjects, ...parameters }));
  await settled(page);
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const get = (id: string) => call<Approval>('GET', `/approvals/${id}`);

test('a call that waits is found, refused with a reason, and then does not run', async () => {
  const { id, run } = await askForAd();
  const page = await open(PATHS.approvals, await owner());
  await page.getByLabel('State').selectOption({ label: 'Waits for you' });
  await page.locator(`a[href$="${id}"]`).click();
  await page.getByText('Nothing has happened yet.').waitFor();
  await button(page, 'Refuse…').click();
  await page.getByLabel('Reason (not needed)').fill('Not this one.');
  await button(page, 'Refuse').click();
  await page.getByText('It does not happen, and whoever asked is told so.').waitFor();
  expect(await get(id)).toMatchObject({ status: 'denied', reason: 'Not this one.' });
  await expect(run()).rejects.toThrow('Not this one.');
});

test('a call that is agreed to runs when it is made again, and leads to its execution', async () => {
  const { id, run } = await askForAd();
  const page = await open(PATHS.approval, await owner(), { approvalId: id });
  await button(page, 'Agree…').click();
  await button(page, 'Agree').click();
  await page.getByText('It happens once, when whoever asked asks again.').waitFor();
  await run().catch(() => undefined);
  await page.reload();
  await page.getByRole('link', { name: 'How it went' }).click();
  await page.getByRole('link', { name: 'By a person' }).click();
  await page.getByText('It ran once.').waitFor();
});

test('a reader looks, and decides nothing', async () => {
  const name = `reader-${crypto.randomUUID().slice(0, 8)}`;
  const { call: manage } = await owner();
  const { link } = await manage<{ link: string }>('POST', '/operators', { name, role: 'reader' });
  const { id } = await askForAd();
  const { page } = await visit(onTestFinished);
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.goto(hrefOf(PATHS.approval, { ...stage().subjects, approvalId: id }));
  await page.getByText('Nothing has happened yet.').waitFor();
  expect(await button(page, 'Agree…').count()).toBe(0);
  expect((await get(id)).status).toBe('pending');
});

test('which calls a person is asked about is set on the connection', async () => {
  const connectionName = `with-questions-${crypto.randomUUID().slice(0, 8)}`;
  await call('POST', '/connections', { connectionName, connector: 'network' });
  const page = await open(PATHS.connection, await owner(), { connectionName });
  await page.getByText('Ask a person first').click();
  await page.getByLabel('A person is asked before').selectOption({ label: 'Every call' });
  await page.getByText('Tool by tool').click();
  await page.getByLabel('Search places', { exact: true }).selectOption({ label: 'Never ask' });
  await button(page, 'Save').click();
  await page.getByText('The settings are saved.').waitFor();
  expect(await call('GET', `/connections/${connectionName}`)).toMatchObject({
    approve: { default: 'always', tools: { network_geo_search: 'never' } },
  });
});

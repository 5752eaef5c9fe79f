import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { hrefOf, PATHS, withQuery } from '../src/paths.ts';
import { findBarriers } from './support/check-page.ts';
import { owner, stage, visit } from './support/visit.ts';
import { settled } from './support/walk.ts';

const subject = (name: string): string => stage().subjects[name] ?? '';

const call = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> =>
  (await owner()).call(method, `/applications/${subject('applicationId')}${path}`, body);

async function open(path: string, given: Readonly<Record<string, string>> = {}, query = {}): Promise<Page> {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.goto(withQuery(hrefOf(path, { ...stage().subjects, ...given }), query));
  await settled(page);
  return page;
}

/** Another account than that of all tests, so that its calls are those of one test alone. */
async function newAccount(identifier = `user-${crypto.randomUUID().slice(0, 8)}`): Promise<string> {
  const path = `/connections/network/accounts/${identifier}`;
  return (await call<{ id: string }>('PUT', path, { apiKey: 'sandbox-key' })).id;
}

const execute = (connectedAccountId: string, toolInput: unknown = { search: 'Berlin' }) =>
  call('POST', '/tools/network_geo_search/execute', { connectedAccountId, toolInput });

const run = (page: Page) => page.getByRole('button', { name: /^Run as/ });
const rows = (page: Page) => page.getByLabel('Executions, newest first').locator('tbody tr');

test('a tool is found by its words, tried with an example, and the call has a story', async () => {
  const page = await open(PATHS.tools);
  await page.getByLabel('Find').fill('places search');
  await page.waitForURL((url) => url.searchParams.get('words') === 'places search');
  await page.getByRole('link', { name: 'Search places' }).click();
  await page.getByRole('heading', { name: 'Try it' }).waitFor();
  await page.getByRole('button', { name: 'Fill in' }).click();
  await run(page).click();
  await page.getByText('Done in').waitFor();
  await page.getByRole('link', { name: 'What happened on the way' }).click();
  await page.getByText('One request was sent to the upstream service. Its last status was 200.').waitFor();
  await page.getByRole('link', { name: 'Run again in the playground' }).click();
  await run(page).waitFor();
});

test('what is typed is checked at once in the words of the service, and nothing is sent that it would refuse', async () => {
  const accountId = await newAccount();
  const page = await open(PATHS.tool, { toolName: 'network_company_scrape' }, { accountId });
  const rule = page.getByText('Give exactly one of company_url, universal_name and search.');
  await rule.getByText('Not so yet.').waitFor({ state: 'attached' });
  await page.getByLabel('universal_name', { exact: true }).fill('acme');
  await rule.getByText('Not so yet.').waitFor({ state: 'detached' });
  await page.getByLabel('search', { exact: true }).fill('acme');
  await run(page).click();
  await page.getByText('One thing is to be mended first.').waitFor();
  const { items } = await call<{ items: unknown[] }>('GET', `/executions?accountId=${accountId}`);
  expect(items).toEqual([]);
});

test('an input goes from the fields to JSON and into code, and what is no JSON stays as it was typed', async () => {
  const page = await open(PATHS.tool);
  await page.getByLabel('search (required)').fill("O'Hare");
  await page.getByLabel('As JSON').check();
  const json = page.getByLabel('Input as JSON');
  expect(JSON.parse(await json.inputValue())).toEqual({ search: "O'Hare" });
  await page.getByText("tools.geoSearch({ search: 'O\\'Hare' })").waitFor();
  await json.fill('{ "search": ');
  await page.getByText('This is not JSON yet').waitFor();
  expect(await json.inputValue()).toBe('{ "search": ');
  await page.getByLabel('Written in').selectOption({ label: 'curl' });
  await page.getByText("O'\\''Hare").waitFor();
});

test('a dry run shows what would be sent, without a question, and sends nothing', async () => {
  const path = `/connections/convintel/accounts/user-${crypto.randomUUID().slice(0, 8)}`;
  const { id: accountId } = await call<{ id: string }>('PUT', path, { bearerToken: 'sandbox-token' });
  const page = await open(PATHS.tool, { toolName: 'convintel_webhook_delete' }, { accountId });
  await page.getByRole('button', { name: 'Fill in' }).click();
  await page.getByRole('button', { name: 'Dry run' }).click();
  const result = page.getByRole('region', { name: 'Dry run' });
  await result.getByText('Nothing was changed').waitFor();
  await result.getByText('One request would be sent.').waitFor();
  expect(await result.locator('code').textContent()).toMatch(/^DELETE .+\/convintel\/webhooks\/[\w-]+$/);
  expect(await findBarriers(page)).toEqual([]);
  const { items } = await call<{ items: unknown[] }>('GET', `/executions?accountId=${accountId}`);
  expect(items).toEqual([]);
});

test('a tool that destroys something runs only after a question', async () => {
  const identifier = `user-${crypto.randomUUID().slice(0, 8)}`;
  const path = `/connections/convintel/accounts/${identifier}`;
  const { id: accountId } = await call<{ id: string }>('PUT', path, { bearerToken: 'sandbox-token' });
  const page = await open(PATHS.tool, { toolName: 'convintel_webhook_delete' }, { accountId });
  await page.getByRole('button', { name: 'Fill in' }).click();
  await run(page).click();
  const dialog = page.getByRole('dialog', { name: 'Run a destructive tool?' });
  await dialog.getByText(identifier).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const executions = () => call<{ items: unknown[] }>('GET', `/executions?accountId=${accountId}`);
  expect((await executions()).items).toEqual([]);
  await run(page).click();
  await dialog.getByRole('button', { name: 'Run it' }).click();
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  expect((await executions()).items).toHaveLength(1);
});

test('a call that is made elsewhere comes into the list by itself, and not while it is paused', async () => {
  const accountId = await newAccount();
  const page = await open(PATHS.executions, {}, { accountId });
  // From the start of a page: a timer that was set before runs on, and cannot be taken back.
  await page.clock.install();
  await page.reload();
  await page.getByText('Nothing ran in this time').waitFor();
  await execute(accountId);
  await rows(page).first().waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Live', { exact: true }).waitFor({ state: 'detached' });
  await execute(accountId);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.clock.fastForward('01:00');
  expect(asked).toEqual([]);
  expect(await rows(page).count()).toBe(1);
  await page.getByRole('button', { name: 'Go on' }).click();
  await rows(page).nth(1).waitFor();
});

test('failed calls are found, with why in words and what to do', async () => {
  const accountId = await newAccount();
  await execute(accountId);
  await expect(execute(accountId, {})).rejects.toThrow('invalid_input');
  const page = await open(PATHS.executions, {}, { accountId });
  await rows(page).nth(1).waitFor();
  await page.getByLabel('Outcome').selectOption('failed');
  await page.waitForURL((url) => url.searchParams.get('outcome') === 'failed');
  await page.getByText('Input refused').waitFor();
  expect(await rows(page).count()).toBe(1);
  await rows(page).getByRole('link').click();
  await page.getByText('The input broke rules of the tool.').waitFor();
  await page.getByText('Nothing was sent to the upstream service.').waitFor();
});

test('charts stand beside their numbers as a table', async () => {
  await execute(subject('accountId'));
  const page = await open(PATHS.executions, {}, { range: '1h' });
  await page.getByRole('img', { name: /^Latency: \d+ calls?, / }).waitFor();
  await page.locator('.uplot canvas').nth(1).waitFor();
  await page.getByText('The numbers as a table').click();
  await page.getByRole('columnheader', { name: '95 of 100 within' }).waitFor();
});

test('who may only look reads about tools and calls, and runs none', async () => {
  const { call: ask } = await owner();
  const name = `reader-${crypto.randomUUID().slice(0, 8)}`;
  const { link } = await ask<{ link: string }>('POST', '/operators', { name, role: 'reader' });
  const { page } = await visit(onTestFinished);
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.goto(hrefOf(PATHS.tool, stage().subjects));
  await page.getByText('Your role is reader').waitFor();
  expect(await page.getByRole('button', { name: /^Run/ }).count()).toBe(0);
  await page.goto(hrefOf(PATHS.execution, stage().subjects));
  await page.getByRole('heading', { name: 'Facts' }).waitFor();
});

test('the playground offers the first connection that has an account, and says what to do where none has', async () => {
  await call('POST', '/connections', {
    connectionName: `a-first-${crypto.randomUUID().slice(0, 8)}`,
    connector: 'network',
  });
  const page = await open(PATHS.tool);
  await page.getByRole('radio', { name: subject('identifier'), exact: true }).waitFor();
  expect(await page.getByLabel('Connection').inputValue()).toBe('network');
  const { call: manage } = await owner();
  const { id } = await manage<{ id: string }>('POST', '/applications', { name: 'Without accounts' });
  for (const connectionName of ['one', 'other'])
    await manage('POST', `/applications/${id}/connections`, { connectionName, connector: 'network' });
  await page.goto(hrefOf(PATHS.tool, { applicationId: id, toolName: subject('toolName') }));
  await page.getByText('None of the connections to this service has an account that may be used').waitFor();
  await page.getByLabel('Connection').selectOption('other');
  await page.getByText('No account of the connection other may be used yet').waitFor();
  await page.getByRole('link', { name: 'Connect an account' }).click();
  await page.getByRole('heading', { name: 'other' }).waitFor();
});

test('the longest identifier makes the playground no wider than the window', async () => {
  // Where nothing may be broken by itself.
  const accountId = await newAccount('x'.repeat(256));
  const page = await open(PATHS.tool, { toolName: 'network_geo_search' }, { accountId });
  await run(page).waitFor();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});

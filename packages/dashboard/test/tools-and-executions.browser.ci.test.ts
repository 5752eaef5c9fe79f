import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { hrefOf, PATHS, withQuery } from '../src/paths.ts';
import { findBarriers } from './support/check-page.ts';
import { owner, stage, visit } from './support/visit.ts';
import { waitForData } from './support/walk.ts';

const subject = (name: string): string => stage().subjects[name] ?? '';

const call = async <Result>(method: string, path: string, body?: unknown): Promise<Result> =>
  (await owner()).call(method, `/applications/${subject('applicationId')}${path}`, body);

async function open(
  path: string,
  parameters: Readonly<Record<string, string>> = {},
  query = {},
): Promise<Page> {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.goto(withQuery(hrefOf(path, { ...stage().subjects, ...parameters }), query));
  await waitForData(page);
  return page;
}

/** Creates an account for one test, so that its calls belong to this test only. */
async function newAccount(identifier = `user-${crypto.randomUUID().slice(0, 8)}`): Promise<string> {
  const path = `/connections/network/accounts/${identifier}`;
  return (await call<{ id: string }>('PUT', path, { apiKey: 'sandbox-key' })).id;
}

const execute = (connectedAccountId: string, toolInput: unknown = { search: 'Berlin' }) =>
  call('POST', '/tools/network_geo_search/execute', { connectedAccountId, toolInput });

const run = (page: Page) => page.getByRole('button', { name: /^Run as/ });
const rows = (page: Page) => page.getByLabel('Executions, newest first').locator('tbody tr');

test('a tool runs as no other account if the account in the URL has no access', async () => {
  await newAccount();
  const page = await open(PATHS.tool, { toolName: 'network_geo_search' }, { accountId: 'acct_missing' });
  await page.getByText('The account of the call has no access any more. Choose an account.').waitFor();
  expect(await run(page).count()).toBe(0);
  await page.getByRole('radio').first().check();
  await run(page).waitFor();
});

test('a tool is found by words, runs with an example, and its execution has a timeline', async () => {
  const page = await open(PATHS.tools);
  await page.getByLabel('Find').fill('places search');
  await page.waitForURL((url) => url.searchParams.get('words') === 'places search');
  await page.getByRole('link', { name: 'Search places' }).click();
  await page.getByRole('heading', { name: 'Try this tool' }).waitFor();
  // Selects an account of its own, because another test may revoke the account that the page has selected.
  await page.goto(withQuery(page.url(), { accountId: await newAccount() }));
  await page.getByRole('button', { name: 'Use example' }).click();
  await run(page).click();
  await page.getByText('Finished in').waitFor();
  await page.getByRole('link', { name: 'Show execution' }).click();
  await page.getByText('One request was sent to the upstream. The last upstream status was 200.').waitFor();
  await page.getByRole('link', { name: 'Run again in the playground' }).click();
  await run(page).waitFor();
});

test('the open page of an account shows a new call', async () => {
  const accountId = await newAccount();
  const page = await open(PATHS.account, { accountId });
  await page.getByText('No calls for this account yet.').waitFor();
  await execute(accountId);
  await page.getByRole('link', { name: 'network_geo_search' }).waitFor();
  await page.getByRole('link', { name: 'Audit events of this account' }).click();
  await page.getByText(`created the account ${accountId}`).waitFor();
});

test('open pages of a user and a connection show a new account', async () => {
  const identifier = `user-${crypto.randomUUID().slice(0, 8)}`;
  const user = await open(PATHS.user, { identifier });
  await user.getByText('This user has no connected account.').waitFor();
  const connection = await open(PATHS.connection);
  await connection.clock.install();
  await connection.reload();
  const count = connection.locator('dt:text-is("Access granted") + dd');
  const before = await count.textContent();
  const accountId = await newAccount(identifier);
  await user.locator(`a[href$="${accountId}"]`).waitFor();
  const countLater = async () => {
    await connection.clock.fastForward('00:20');
    return count.textContent();
  };
  await expect.poll(countLater).not.toBe(before);
});

test('the open overview counts new calls', async () => {
  const accountId = await newAccount();
  const page = await open(PATHS.overview);
  await page.clock.install();
  await page.reload();
  const count = page.locator('a', { hasText: /^[\d,]+ calls?$/ });
  const before = await count.textContent();
  await execute(accountId);
  const countLater = async () => {
    await page.clock.fastForward('00:20');
    return count.textContent();
  };
  await expect.poll(countLater).not.toBe(before);
});

test('the input is validated while typing, and invalid input is not sent', async () => {
  const accountId = await newAccount();
  const page = await open(PATHS.tool, { toolName: 'network_company_scrape' }, { accountId });
  const rule = page.getByText('Give exactly one of company_url, universal_name and search.');
  await rule.getByText('The input does not meet this rule yet.').waitFor({ state: 'attached' });
  await page.getByLabel('universal_name', { exact: true }).fill('acme');
  await rule.getByText('The input does not meet this rule yet.').waitFor({ state: 'detached' });
  await page.getByLabel('search', { exact: true }).fill('acme');
  await run(page).click();
  await page.getByText('Fix one error in the input first.').waitFor();
  const { items } = await call<{ items: unknown[] }>('GET', `/executions?accountId=${accountId}`);
  expect(items).toEqual([]);
});

test('the input moves from the fields to JSON and to code samples, and invalid JSON stays in the field', async () => {
  const page = await open(PATHS.tool);
  await page.getByLabel('search (required)').fill("O'Hare");
  await page.getByLabel('Edit as JSON').check();
  const json = page.getByLabel('Input as JSON');
  expect(JSON.parse(await json.inputValue())).toEqual({ search: "O'Hare" });
  await page.getByText("tools.geoSearch({ search: 'O\\'Hare' })").waitFor();
  await json.fill('{ "search": ');
  await page.getByText('Invalid JSON').waitFor();
  expect(await json.inputValue()).toBe('{ "search": ');
  await page.getByLabel('Language').selectOption({ label: 'curl' });
  await page.getByText("O'\\''Hare").waitFor();
});

test('a dry run shows the requests without confirmation, and sends nothing', async () => {
  const path = `/connections/convintel/accounts/user-${crypto.randomUUID().slice(0, 8)}`;
  const { id: accountId } = await call<{ id: string }>('PUT', path, { bearerToken: 'sandbox-token' });
  const page = await open(PATHS.tool, { toolName: 'convintel_webhook_delete' }, { accountId });
  await page.getByRole('button', { name: 'Use example' }).click();
  await page.getByRole('button', { name: 'Dry run' }).click();
  const result = page.getByRole('region', { name: 'Dry run' });
  await result.getByText('The dry run changed nothing').waitFor();
  await result.getByText('One request would be sent.').waitFor();
  expect(await result.locator('code').textContent()).toMatch(/^DELETE .+\/convintel\/webhooks\/[\w-]+$/);
  expect(await findBarriers(page)).toEqual([]);
  const { items } = await call<{ items: unknown[] }>('GET', `/executions?accountId=${accountId}`);
  expect(items).toEqual([]);
});

test('a destructive tool runs only after a confirmation', async () => {
  const identifier = `user-${crypto.randomUUID().slice(0, 8)}`;
  const path = `/connections/convintel/accounts/${identifier}`;
  const { id: accountId } = await call<{ id: string }>('PUT', path, { bearerToken: 'sandbox-token' });
  const page = await open(PATHS.tool, { toolName: 'convintel_webhook_delete' }, { accountId });
  await page.getByRole('button', { name: 'Use example' }).click();
  await run(page).click();
  const dialog = page.getByRole('dialog', { name: 'Run a destructive tool?' });
  await dialog.getByText(identifier).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const executions = () => call<{ items: unknown[] }>('GET', `/executions?accountId=${accountId}`);
  expect((await executions()).items).toEqual([]);
  await run(page).click();
  await dialog.getByRole('button', { name: 'Run tool' }).click();
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  expect((await executions()).items).toHaveLength(1);
});

test('the executions of a trace are found by its id, which the page of an execution shows', async () => {
  const accountId = await newAccount();
  const traceId = crypto.randomUUID().replaceAll('-', '');
  const playground = await open(PATHS.tool, {}, { accountId });
  await playground.setExtraHTTPHeaders({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  await playground.getByRole('button', { name: 'Use example' }).click();
  await run(playground).click();
  await playground.getByText('Finished in').waitFor();
  const page = await open(PATHS.executions);
  await page.getByText('Filter by ID').click();
  await page.getByLabel('Trace ID').fill(traceId);
  await page.waitForURL((url) => url.searchParams.get('traceId') === traceId);
  await expect.poll(() => rows(page).count()).toBe(1);
  await rows(page).getByRole('link').first().click();
  await page.getByText(traceId).waitFor();
  await page.getByText('Service version').waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('the list of executions shows new calls automatically, except while it is paused', async () => {
  const accountId = await newAccount();
  const page = await open(PATHS.executions, {}, { accountId });
  // The page is reloaded, because timers from before the installation keep using the real clock.
  await page.clock.install();
  await page.reload();
  await page.getByText('No calls match these filters').waitFor();
  await execute(accountId);
  await rows(page).first().waitFor();
  await page.getByRole('button', { name: 'Pause updates' }).click();
  await page.getByText('Live', { exact: true }).waitFor({ state: 'detached' });
  await execute(accountId);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.clock.fastForward('01:00');
  expect(requests.filter((url) => url.includes('/execution'))).toEqual([]);
  expect(await rows(page).count()).toBe(1);
  await page.getByRole('button', { name: 'Resume updates' }).click();
  await rows(page).nth(1).waitFor();
});

test('failed calls are filtered, with the reason and the remedy', async () => {
  const accountId = await newAccount();
  await execute(accountId);
  await expect(execute(accountId, {})).rejects.toThrow('invalid_input');
  const page = await open(PATHS.executions, {}, { accountId });
  await rows(page).nth(1).waitFor();
  await page.getByLabel('Outcome').selectOption('failed');
  await page.waitForURL((url) => url.searchParams.get('outcome') === 'failed');
  await page.getByText('Invalid input').waitFor();
  expect(await rows(page).count()).toBe(1);
  await rows(page).getByRole('link', { name: 'network_geo_search' }).click();
  await page.getByText('The input does not match the schema of the tool.').waitFor();
  await page.getByText('No request was sent to the upstream.').waitFor();
  await page.getByText('breaks the rule required').first().waitFor();
});

test('charts also show their numbers as a table', async () => {
  await execute(subject('accountId'));
  const page = await open(PATHS.executions, {}, { range: '1h' });
  await page.getByRole('img', { name: /^Duration of calls: \d+ calls?, / }).waitFor();
  await page.locator('.uplot canvas').nth(1).waitFor();
  await page.getByText('Show as table').click();
  await page.getByRole('columnheader', { name: '95th percentile of durations' }).waitFor();
});

test('a reader can view tools and executions but cannot run tools', async () => {
  const { call: ask } = await owner();
  const name = `reader-${crypto.randomUUID().slice(0, 8)}`;
  const { link } = await ask<{ link: string }>('POST', '/operators', { name, role: 'reader' });
  const { page } = await visit(onTestFinished);
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.goto(hrefOf(PATHS.tool, stage().subjects));
  await page.getByText('You have read-only access and cannot run tools.').waitFor();
  expect(await page.getByRole('button', { name: /^Run/ }).count()).toBe(0);
  await page.goto(hrefOf(PATHS.execution, stage().subjects));
  await page.getByRole('heading', { name: 'Details' }).waitFor();
});

test('the playground selects the first connection with an account, or explains how to connect one', async () => {
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
  await page.getByText('no connection for this tool has an authorized account').waitFor();
  await page.getByLabel('Connection').selectOption('other');
  await page.getByText('this connection has no authorized account yet: other.').waitFor();
  await page.getByRole('link', { name: 'Connect account' }).click();
  await page.getByRole('heading', { name: 'other' }).waitFor();
});

test('the longest identifier does not make the playground wider than the window', async () => {
  // An identifier without spaces does not wrap by itself.
  const accountId = await newAccount('x'.repeat(256));
  const page = await open(PATHS.tool, { toolName: 'network_geo_search' }, { accountId });
  await run(page).waitFor();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});

test('a long description of a tool is folded after its first sentence', async () => {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.goto(hrefOf(PATHS.tool, { ...stage().subjects, toolName: 'calendar_create_event' }));
  await waitForData(page);
  const description = page.getByRole('region', { name: 'Description' });
  const [first, rest] = [
    description.locator('.prose').first(),
    description.locator('details .prose').first(),
  ];
  expect(await first.textContent()).toMatch(/^[^.]+\.$/);
  expect(await rest.isVisible()).toBe(false);
  await page.getByText('More about this tool').click();
  expect(await rest.isVisible()).toBe(true);
});

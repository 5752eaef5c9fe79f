import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { hrefOf, PATHS, withQuery } from '../src/paths.ts';
import { findBarriers } from './support/check-page.ts';
import { uniqueName } from './support/dialog-pages.ts';
import { owner, stage, visit } from './support/visit.ts';
import { waitForData } from './support/walk.ts';

const call = async <Result>(method: string, path: string, body?: unknown): Promise<Result> =>
  (await owner()).call(method, `/applications/${stage().subjects['applicationId']}${path}`, body);

const pathOf = (path: string, query = {}): string => withQuery(hrefOf(path, stage().subjects), query);

async function open(address: string, width = 1280): Promise<Page> {
  const { page } = await visit(onTestFinished, { as: await owner(), width });
  await page.goto(address);
  await waitForData(page);
  return page;
}

/** Makes a call that fails. Returns the error of the response. */
async function failCall(): Promise<{ readonly requestId: string }> {
  const operator = await owner();
  const body = { connectedAccountId: stage().subjects['accountId'], toolInput: { ad_id: '43' } };
  const path = `/applications/${stage().subjects['applicationId']}/tools/network_ad_get/execute`;
  const error: unknown = await operator.call('POST', path, body).catch((reason: unknown) => reason);
  const [requestId = ''] = /req_[0-9a-f]{24}/.exec(String(error)) ?? [];
  return { requestId };
}

async function search(page: Page, text: string): Promise<void> {
  const field = page.getByRole('searchbox', { name: 'ID or user' });
  // A page listens for the key a moment after it is shown.
  await expect
    .poll(async () => {
      await page.keyboard.press('/');
      return field.evaluate((input) => input === document.activeElement);
    })
    .toBe(true);
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await page.getByText(`Results for ${text.trim()}`).waitFor();
}

test('one click leads from the request id of an error to the call', async () => {
  const { requestId } = await failCall();
  expect(requestId).not.toBe('');
  const page = await open(pathOf(PATHS.overview));
  await search(page, requestId);
  await page.getByRole('link', { name: 'network_ad_get' }).click();
  await page.getByRole('heading', { name: 'network_ad_get' }).waitFor();
  await page.getByText(requestId).waitFor();
});

test('the request id of an error on a page is a link to the cause of the error', async () => {
  const page = await open(hrefOf(PATHS.execution, { ...stage().subjects, executionId: 'exec_none' }));
  await page.getByRole('link', { name: /^req_/ }).click();
  await page.getByRole('heading', { name: 'Failed requests (1)' }).waitFor();
  await page.getByText('The caller received status 404 and the error code not_found.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('the request id of a successful request finds nothing, and the page says how long records are kept', async () => {
  const page = await open(pathOf(PATHS.overview));
  await search(page, `req_${'0'.repeat(23)}1`);
  await page.getByText('Nothing has this ID, and no user has this identifier.').waitFor();
  await page.getByText(/for \d+ days/).waitFor();
});

test('a part of an identifier in upper case leads to the page of the user', async () => {
  const page = await open(pathOf(PATHS.health));
  await search(page, 'DA@EXAMPLE');
  await page.getByRole('link', { name: 'ada@example.com' }).first().click();
  await page.getByRole('heading', { name: 'ada@example.com', level: 1 }).waitFor();
  await waitForData(page);
  for (const name of [
    /^Connected accounts \(\d+\)$/,
    /^Approvals \(\d+\)$/,
    'Access granted to MCP clients (1)',
  ])
    await page.getByRole('heading', { name }).waitFor();
  await page.getByRole('link', { name: 'All accounts of this user' }).click();
  await page.getByRole('heading', { name: 'Connected accounts' }).waitFor();
  expect(await page.getByLabel('User identifier', { exact: true }).inputValue()).toBe('ada@example.com');
});

test.each([
  ['All calls for this user', 'Executions'],
  ['All audit events of this user', 'Audit log'],
  ['All approvals of this user', 'Approvals'],
  ['All access that this user granted', 'Agents'],
])('the link "%s" opens the page %s filtered by the user', async (link, title) => {
  const page = await open(pathOf(PATHS.user));
  await page.getByRole('link', { name: link }).click();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  expect(new URL(page.url()).searchParams.get('identifier')).toBe('ada@example.com');
  await waitForData(page);
  expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
});

test('the list of executions comes before the charts, and dragging over the strip filters it by time', async () => {
  const page = await open(pathOf(PATHS.executions));
  const [strip, list, charts] = await Promise.all(
    [page.locator('.strip'), page.getByLabel('Executions, newest first'), page.locator('.chart').first()].map(
      (part) => part.boundingBox(),
    ),
  );
  expect(strip?.height).toBe(80);
  expect(strip?.y).toBeLessThan(list?.y ?? 0);
  expect(list?.y).toBeLessThan(charts?.y ?? 0);
  const { x = 0, y = 0, width = 0 } = strip ?? {};
  await page.mouse.move(x + width / 4, y + 30);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + 30, { steps: 5 });
  await page.mouse.up();
  await page.waitForURL((url) => url.searchParams.get('range') === 'own');
  const query = new URL(page.url()).searchParams;
  const hours = (Date.parse(query.get('until') ?? '') - Date.parse(query.get('since') ?? '')) / 3_600_000;
  expect(hours).toBeGreaterThan(5.5);
  expect(hours).toBeLessThan(6.5);
  await page.getByLabel('From').waitFor();
});

test('lists that grow can be sorted by time', async () => {
  for (const [path, name, caption] of [
    [PATHS.executions, 'Started', 'Executions, oldest first'],
    [PATHS.audit, 'Time', 'Audit events, oldest first'],
    [PATHS.approvals, 'Requested at', 'Approvals, oldest first'],
    [PATHS.webhookEndpoint, 'Created', 'Deliveries, oldest first'],
    [PATHS.agents, 'Granted on', 'Granted access, oldest first'],
  ] as const) {
    const page = await open(pathOf(path));
    await page.getByRole('button', { name }).click();
    await page.getByLabel(caption).waitFor();
    expect(await page.locator('th[aria-sort="ascending"]').textContent()).toContain(name);
  }
});

test('a short list shows its number of rows, sorts them in the page, and exports them as CSV', async () => {
  const page = await open(pathOf(PATHS.connections));
  const names = () => page.locator('td[data-label="Connection"] a').allTextContents();
  const before = await names();
  await page.getByText(`${before.length} in total`).waitFor();
  const header = page.getByRole('button', { name: 'Connection', exact: true });
  await header.click();
  expect(await names()).toEqual(before.toSorted((one, other) => one.localeCompare(other)));
  await header.click();
  expect(await names()).toEqual(before.toSorted((one, other) => other.localeCompare(one)));
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('connections.csv');
  const lines = (await text(await file.createReadStream())).trim().split('\r\n');
  expect(lines[0]).toBe('Connection,Status,How users connect,Last changed');
  expect(lines).toHaveLength(before.length + 1);
});

test('accounts without access get new links at once', async () => {
  const name = uniqueName('many');
  for (const number of [1, 2])
    await call('PUT', `/connections/calendar/accounts/${name}-${number}`, undefined);
  const page = await open(pathOf(PATHS.accounts, { identifier: name }));
  await page.getByLabel(`Select ${name}-1 on calendar`).check();
  await page.getByRole('button', { name: 'Create links (1)' }).waitFor();
  await page.getByRole('button', { name: 'Select all accounts that need a link' }).click();
  await page.getByRole('button', { name: 'Create links (2)' }).click();
  await page.getByRole('button', { name: 'Create links', exact: true }).click();
  const links = page.getByRole('region', { name: 'the links' });
  await links.waitFor();
  expect((await links.textContent())?.match(/\/connect\//g)).toHaveLength(2);
  expect(await findBarriers(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toBe('links.csv');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: /^Create links/ }).waitFor({ state: 'detached' });
});

test.each([
  { title: 'search', address: () => pathOf(PATHS.search, { q: 'ada@' }) },
  { title: 'user', address: () => pathOf(PATHS.user) },
  { title: 'executions', address: () => pathOf(PATHS.executions) },
  { title: 'accounts', address: () => pathOf(PATHS.accounts) },
  { title: 'audit', address: () => pathOf(PATHS.audit) },
])('the page $title has no accessibility faults and fits a window of 320 pixels', async ({ address }) => {
  const page = await open(address(), 320);
  expect(await findBarriers(page)).toEqual([]);
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0);
});

import { approve as consent } from '@svc/sandbox';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { hrefOf, PATHS, withQuery } from '../src/paths.ts';
import { askForAd } from './support/ask-for-ad.ts';
import type { Operator } from './support/operator.ts';
import { owner, stage, visit } from './support/visit.ts';
import { waitForData } from './support/walk.ts';

interface Approval {
  readonly id: string;
  readonly status: string;
  readonly identifier: string;
  readonly reason?: string;
}

const subject = (name: string): string => stage().subjects[name] ?? '';

const call = async <Result>(method: string, path: string, body?: unknown): Promise<Result> =>
  (await owner()).call(method, `/applications/${subject('applicationId')}${path}`, body);

async function open(path: string, as: Operator, parameters = {}): Promise<Page> {
  const { page } = await visit(onTestFinished, { as });
  await page.goto(hrefOf(path, { ...stage().subjects, ...parameters }));
  await waitForData(page);
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const get = (id: string) => call<Approval>('GET', `/approvals/${id}`);

test('a denied call does not run and reports the reason', async () => {
  const { id, run } = await askForAd();
  const page = await open(PATHS.approvals, await owner());
  await page.getByLabel('Status').selectOption({ label: 'Waiting for approval' });
  await page.locator(`a[href$="${id}"]`).click();
  await page.getByText('The call has not run yet.').waitFor();
  await button(page, 'Deny…').click();
  await page.getByLabel('Reason (optional)').fill('Not this one.');
  await button(page, 'Deny').click();
  await page.getByText('The call does not run, and the caller gets an error with the reason.').waitFor();
  await page.getByText('Decided at').waitFor();
  expect(await page.getByText('Valid until').count()).toBe(0);
  expect(await get(id)).toMatchObject({ status: 'denied', reason: 'Not this one.' });
  await expect(run()).rejects.toThrow('Not this one.');
});

test('an approved call runs when it is repeated, and links to its execution', async () => {
  const { id, run } = await askForAd();
  const page = await open(PATHS.approval, await owner(), { approvalId: id });
  await button(page, 'Approve…').click();
  await button(page, 'Approve').click();
  await page.getByText('The call runs once, when the caller repeats it.').waitFor();
  await run().catch(() => undefined);
  await page.getByRole('link', { name: 'Show execution' }).click();
  await page.getByRole('link', { name: 'Show approval' }).click();
  await page.getByText('The call ran once.').waitFor();
});

test('an approval shows the title and date of the object that the call changes, and no markup', async () => {
  const identifier = `named-${crypto.randomUUID().slice(0, 8)}`;
  const account = `/connections/calendar/accounts/${identifier}`;
  const { link } = await call<{ link: string }>('POST', `${account}/authorization-link`);
  await consent(link, { user: 'ada' });
  const execute = <Result>(toolName: string, toolInput: object) =>
    call<Result>('POST', `/tools/${toolName}/execute`, {
      connectionName: 'calendar',
      identifier,
      toolInput,
    });
  const { data } = await execute<{ data: { id: string } }>('calendar_create_event', {
    summary: 'Review of <b>plans</b>',
    start_datetime: '2026-12-01T09:00:00Z',
  });
  const approve = { default: 'never', tools: { calendar_delete_event: 'always' } };
  await call('PATCH', '/connections/calendar', { approve });
  const error = await execute('calendar_delete_event', { event_id: data.id }).catch(String);
  await call('PATCH', '/connections/calendar', { approve: { default: 'never', tools: {} } });

  const approvalId = /appr_[0-9a-f]{24}/.exec(String(error))?.[0] ?? '';
  const page = await open(PATHS.approval, await owner(), { approvalId });
  await page.getByText(/event “Review of <b>plans<\/b>” \(1 Dec 2026, \d\d:\d\d\)/).waitFor();
  const fact = page.locator('dt:text-is("Affected object") + dd');
  expect(await fact.textContent()).toMatch(/^Review of <b>plans<\/b>, .*2026/);
});

test('a waiting call is neither done nor failed, and is counted', async () => {
  await askForAd();
  const page = await open(PATHS.executions, await owner());
  await page.locator('.badge.warn').getByText('Approval required').first().waitFor();
  await page.locator('nav .badge.warn').getByText(/^\d+/).waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('link', { name: /waiting for approval$/ }).click();
  await page.waitForURL((url) => url.searchParams.get('status') === 'pending');
});

test('a call in the playground that needs an approval links to the approval', async () => {
  const page = await open(PATHS.tool, await owner(), { toolName: 'network_ad_get' });
  // Selects an account that no other test revokes.
  await page.goto(withQuery(page.url(), { accountId: subject('accountId') }));
  await page.getByLabel('ad_id', { exact: true }).fill(crypto.randomUUID());
  await page.getByRole('button', { name: /^Run as/ }).click();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Show approval' }).click();
  await button(await opened, 'Approve…').waitFor();
});

test('open pages show that somebody else has decided an approval', async () => {
  const { id } = await askForAd();
  const approval = await open(PATHS.approval, await owner(), { approvalId: id });
  const user = await open(PATHS.user, await owner(), { identifier: (await get(id)).identifier });
  const row = user.locator('tr', { has: user.locator(`a[href$="${id}"]`) });
  await button(approval, 'Approve…').waitFor();
  await row.getByText('Waiting for approval').waitFor();
  await call('POST', `/approvals/${id}`, { decision: 'deny' });
  await approval.getByText('Denied', { exact: true }).waitFor();
  await row.getByText('Denied').waitFor();
  expect(await button(approval, 'Approve…').count()).toBe(0);
});

test('a reader sees an approval but cannot decide it', async () => {
  const name = `reader-${crypto.randomUUID().slice(0, 8)}`;
  const { call: manage } = await owner();
  const { link } = await manage<{ link: string }>('POST', '/operators', { name, role: 'reader' });
  const { id } = await askForAd();
  const { page } = await visit(onTestFinished);
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.goto(hrefOf(PATHS.approval, { ...stage().subjects, approvalId: id }));
  await page.getByText('The call has not run yet.').waitFor();
  expect(await button(page, 'Approve…').count()).toBe(0);
  expect((await get(id)).status).toBe('pending');
});

test('the settings of a connection choose which calls need approval', async () => {
  const connectionName = `with-approvals-${crypto.randomUUID().slice(0, 8)}`;
  await call('POST', '/connections', { connectionName, connector: 'network' });
  const page = await open(PATHS.connection, await owner(), { connectionName });
  await page.getByRole('group').getByText('Approvals', { exact: true }).click();
  await page.getByLabel('Require approval for').selectOption({ label: 'All calls' });
  await page.getByText('Rules for individual tools').click();
  await page.getByLabel('Search places', { exact: true }).selectOption({ label: 'Never require approval' });
  await button(page, 'Save').click();
  await page.getByText('Settings saved.').waitFor();
  expect(await call('GET', `/connections/${connectionName}`)).toMatchObject({
    approve: { default: 'always', tools: { network_geo_search: 'never' } },
  });
});

import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { hrefOf, PATHS } from '../src/paths.ts';
import { accountWords } from '../src/words/states.ts';
import { owner, stage, visit } from './support/visit.ts';
import { settled } from './support/walk.ts';

interface Connection {
  readonly redirectUri: string;
  readonly baseUrl: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
}

interface Account {
  readonly id: string;
}

const applicationId = (): string => stage().subjects['applicationId'] ?? '';

/** A name that no other test has. */
const named = (what: string): string => `${what}-${crypto.randomUUID().slice(0, 8)}`;

const call = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> =>
  (await owner()).call(method, `/applications/${applicationId()}${path}`, body);

const connectionNamed = (name: string) => call<Connection>('GET', `/connections/${name}`);

async function open(path: string, parameters: Readonly<Record<string, string>> = {}): Promise<Page> {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.goto(hrefOf(path, { applicationId: applicationId(), ...parameters }));
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Lets a user approve at the sandbox, as whoever opens the link does. */
async function approve(page: Page): Promise<void> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Open the link' }).click();
  const tab = await opened;
  await tab.getByRole('button').first().click();
  await tab.getByRole('button', { name: /allow/i }).click();
  await tab.waitForURL(/\/callback/);
  await tab.close();
}

/** Connects a user as operators do, until the account's own page is there. */
async function connectByLink(identifier: string): Promise<Page> {
  const page = await open(PATHS.connection, { connectionName: 'calendar' });
  await button(page, 'Connect an account').click();
  await page.getByLabel('Identifier').fill(identifier);
  await button(page, 'Make the link').click();
  await approve(page);
  await button(page, 'Show the account').click();
  await page.getByRole('heading', { name: identifier }).waitFor();
  return page;
}

test('a new connection leads from its redirect URI to its credentials, and is tested once it has them', async () => {
  const name = named('team');
  const sandbox = await connectionNamed('calendar');
  const page = await open(PATHS.newConnection);
  await page.getByRole('link', { name: /^Calendar/ }).click();
  await page.getByLabel('Name').fill(name);
  await button(page, 'Create connection').click();
  await page.getByRole('heading', { name: 'Copy the redirect URI' }).waitFor();
  await page.getByText((await connectionNamed(name)).redirectUri).waitFor();
  await page.getByLabel('Client ID').fill('nobody');
  await page.getByLabel('Client secret').fill('wrong');
  await page.getByText('Advanced').click();
  await page.getByLabel('Base URL').fill(sandbox.baseUrl);
  await page.getByLabel('Authorization endpoint').fill(sandbox.authorizationEndpoint);
  await page.getByLabel('Token endpoint').fill(sandbox.tokenEndpoint);
  await button(page, 'Save').click();
  await page.getByText('The connection does not work.').waitFor();
  await page.getByText('does not take this client id').waitFor();
  expect(await connectionNamed(name)).toMatchObject({ clientId: 'nobody', hasClientSecret: true });
});

test('scopes say which tools do not work without them, and are saved alone', async () => {
  const name = named('scopes');
  await call('POST', '/connections', { connectionName: name, connector: 'calendar', clientId: 'someone' });
  const page = await open(PATHS.connection, { connectionName: name });
  await page.getByText('With these scopes all 6 tools work.').waitFor();
  await page.getByLabel('Read the list of the user').first().uncheck();
  await page.getByText('5 of 6 tools work. These do not: List calendars.').waitFor();
  await button(page, 'Save').click();
  await page.getByText('The settings are saved.').waitFor();
  expect(await connectionNamed(name)).toMatchObject({
    scopes: ['openid', 'https://www.googleapis.com/auth/calendar.events'],
    clientId: 'someone',
  });
});

test('a link is followed until its user has approved, and the account says in words what was allowed', async () => {
  const page = await connectByLink(named('user'));
  await page.getByText('The user approved, and calls to Calendar are made in their name.').waitFor();
  await page.getByText('Read the list of the user').waitFor();
});

test('an account whose access has ended says why, and a new link ends that', async () => {
  const identifier = named('user');
  const page = await connectByLink(identifier);
  const account = await call<Account>('GET', `/connections/calendar/accounts/${identifier}`);
  const { baseUrl } = await connectionNamed('calendar');
  await fetch(new URL('/_sandbox/upstreams/calendar/revoke-grants', baseUrl), { method: 'POST' });
  const asked = call('POST', '/tools/calendar_list_calendars/execute', {
    connectedAccountId: account.id,
    toolInput: {},
  });
  await expect(asked).rejects.toThrow('account_not_authorized');
  const ended = { status: 'reauthorization_required', statusReason: 'refresh_refused' } as const;
  await page.reload();
  await page
    .getByText(accountWords({ ...ended, authType: 'oauth2', upstream: 'Calendar' }).explanation)
    .waitFor();
  await button(page, 'New link').click();
  await button(page, 'Make the link').click();
  await approve(page);
  await page.getByText('The user has approved, and the account is connected.').waitFor();
});

test('revoking says what is lost and ends the access; the account stays, and a new link connects it again', async () => {
  const identifier = named('user');
  const page = await connectByLink(identifier);
  const { id } = await call<Account>('GET', `/connections/calendar/accounts/${identifier}`);
  await button(page, 'Revoke access').click();
  const dialog = page.getByRole('dialog', { name: `Revoke the access of “${identifier}”?` });
  await dialog.getByText('The access is ended at Calendar where that is possible').waitFor();
  await dialog.getByText('links that were made before lead nowhere').waitFor();
  await dialog.getByRole('button', { name: 'Revoke access' }).click();
  await page.getByText('The access is ended, at Calendar too.').waitFor();
  await page.getByText('An operator ended the access.').waitFor();
  expect(await button(page, 'Revoke access').count()).toBe(0);
  await button(page, 'New link').click();
  await button(page, 'Make the link').click();
  await approve(page);
  await page.getByText('The user has approved, and the account is connected.').waitFor();
  expect(await call('GET', `/connections/calendar/accounts/${identifier}`)).toMatchObject({
    id,
    status: 'authorized',
  });
});

test('accounts are found by the beginning of their identifier, and the address says which are shown', async () => {
  const prefix = named('found');
  const identifiers = [`${prefix}/ä 1`, `${prefix}-2`];
  for (const identifier of [...identifiers, named('other')]) {
    await call('PUT', `/connections/workspace/accounts/${encodeURIComponent(identifier)}`, {});
  }
  const page = await open(PATHS.accounts);
  await page.getByLabel('Identifier begins with').fill(prefix);
  await page.waitForURL((url) => url.searchParams.get('identifier') === prefix);
  await page.getByLabel('State').selectOption('unauthorized');
  await page.reload();
  await page.getByRole('link', { name: `${prefix}-2` }).waitFor();
  expect(await page.locator('tbody tr').count()).toBe(2);
  await page.getByRole('link', { name: `${prefix}/ä 1` }).click();
  await page.getByRole('heading', { name: `${prefix}/ä 1` }).waitFor();
});

test('deleting a connection says how many accounts go with it, and waits for the answer', async () => {
  const name = named('over');
  await call('POST', '/connections', { connectionName: name, connector: 'network' });
  for (const user of ['a', 'b']) {
    await call('PUT', `/connections/${name}/accounts/${user}`, { apiKey: 'sandbox-key' });
  }
  const page = await open(PATHS.connection, { connectionName: name });
  await button(page, 'Delete connection').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It has 2 accounts.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await call<Account>('GET', `/connections/${name}/accounts/a`)).toMatchObject({ identifier: 'a' });
  await button(page, 'Delete connection').click();
  await dialog.getByRole('button', { name: 'Delete connection' }).click();
  await page.waitForURL(`**${hrefOf(PATHS.connections, { applicationId: applicationId() })}`);
  await expect(connectionNamed(name)).rejects.toThrow('404');
});

test('who may only look finds nothing to press that would be refused', async () => {
  const { call: ask } = await owner();
  const { link } = await ask<{ link: string }>('POST', '/operators', {
    name: named('reader'),
    role: 'reader',
  });
  const { page } = await visit(onTestFinished);
  await page.goto(link);
  await button(page, 'Continue').click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  for (const path of [
    PATHS.connections,
    PATHS.connection,
    PATHS.accounts,
    PATHS.account,
    PATHS.newConnection,
  ]) {
    await page.goto(hrefOf(path, stage().subjects));
    await settled(page);
    const pressed = await page.locator('main').locator('button, .button').allInnerTexts();
    expect(pressed.filter((text) => text !== 'Copy')).toEqual([]);
  }
});

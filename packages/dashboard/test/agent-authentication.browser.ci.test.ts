import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { hrefOf, PATHS } from '../src/paths.ts';
import { accountWords } from '../src/words/states.ts';
import { findBarriers } from './support/check-page.ts';
import { owner, stage, visit } from './support/visit.ts';
import { waitForData } from './support/walk.ts';

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

/** A unique name for this test. */
const uniqueName = (what: string): string => `${what}-${crypto.randomUUID().slice(0, 8)}`;

const call = async <Result>(method: string, path: string, body?: unknown): Promise<Result> =>
  (await owner()).call(method, `/applications/${applicationId()}${path}`, body);

const getConnection = (name: string) => call<Connection>('GET', `/connections/${name}`);

async function open(path: string, parameters: Readonly<Record<string, string>> = {}): Promise<Page> {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.goto(hrefOf(path, { applicationId: applicationId(), ...parameters }));
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Opens the link and gives consent at the sandbox. */
async function giveConsent(page: Page): Promise<void> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Open link' }).click();
  const tab = await opened;
  await tab.getByRole('button').first().click();
  await tab.getByRole('button', { name: /allow/i }).click();
  await tab.waitForURL(/\/connect\/result\//);
  await tab.close();
}

/** Connects an account with a link, and returns the page of the account. `label` tells two accounts of a user apart. */
async function connectByLink(identifier: string, label = '', connectionName = 'calendar'): Promise<Page> {
  const page = await open(PATHS.connection, { connectionName });
  await button(page, 'Connect account').click();
  await page.getByLabel('User identifier').fill(identifier);
  await page.getByLabel('Account label').fill(label);
  await button(page, 'Create link').click();
  await giveConsent(page);
  await button(page, 'Show account').click();
  await page.getByRole('heading', { name: identifier }).waitFor();
  return page;
}

test('the setup of a new connection shows the redirect URI, saves the credentials and tests them', async () => {
  const name = uniqueName('team');
  const sandbox = await getConnection('calendar');
  const page = await open(PATHS.newConnection);
  await page.getByRole('link', { name: /^Calendar/ }).click();
  await page.getByLabel('Name').fill(name);
  await button(page, 'Create connection').click();
  await page.getByRole('heading', { name: 'Copy the redirect URI' }).waitFor();
  await page.getByText((await getConnection(name)).redirectUri).waitFor();
  await page.getByLabel('Client ID').fill('nobody');
  await page.getByLabel('Client secret').fill('wrong');
  await page.getByText('Advanced').click();
  await page.getByLabel('Base URL').fill(sandbox.baseUrl);
  await page.getByLabel('Authorization endpoint').fill(sandbox.authorizationEndpoint);
  await page.getByLabel('Token endpoint').fill(sandbox.tokenEndpoint);
  await button(page, 'Save').click();
  await page.getByText('The connection does not work.').waitFor();
  await page.getByText('refuses “Client ID” or “Client secret”').waitFor();
  expect(await getConnection(name)).toMatchObject({ clientId: 'nobody', hasClientSecret: true });
});

test('the scope checklist lists the tools without a scope, and saves only the scopes', async () => {
  const name = uniqueName('scopes');
  await call('POST', '/connections', { connectionName: name, connector: 'calendar', clientId: 'someone' });
  const page = await open(PATHS.connection, { connectionName: name });
  await page.getByText('All 12 tools work with these scopes.').waitFor();
  await page.getByLabel('Read the list of the user').first().uncheck();
  await page
    .getByText('11 of 12 tools work with these scopes. Tools with missing scopes: List calendars.')
    .waitFor();
  await button(page, 'Save').click();
  await page.getByText('Settings saved.').waitFor();
  expect(await getConnection(name)).toMatchObject({
    scopes: [
      'openid',
      'https://www.googleapis.com/auth/calendar.events',
      'https://www.googleapis.com/auth/calendar.events.freebusy',
      'https://www.googleapis.com/auth/calendar.calendars.readonly',
    ],
    clientId: 'someone',
  });
});

test('the link dialog waits for consent, and the account page lists the granted scopes', async () => {
  const page = await connectByLink(uniqueName('user'));
  await page.getByText('The user gave consent. Calls to Calendar run on behalf of the user.').waitFor();
  await page.getByText('Read the list of the user').waitFor();
});

test('two accounts of one user are connected with a label, and the list shows both', async () => {
  const identifier = uniqueName('user');
  await connectByLink(identifier);
  const page = await connectByLink(identifier, 'work');
  await page.getByRole('heading', { name: `${identifier} (work)` }).waitFor();
  await page.goto(hrefOf(PATHS.accounts, { applicationId: applicationId() }));
  await page.getByLabel('User identifier starts with').fill(identifier);
  await expect
    .poll(async () =>
      (await page.locator('tbody tr a').filter({ hasText: identifier }).allTextContents()).toSorted(),
    )
    .toEqual([identifier, `${identifier} (work)`]);
});

test('an account without access shows the reason, and a new link restores the access', async () => {
  const identifier = uniqueName('user');
  const page = await connectByLink(identifier);
  const account = await call<Account>('GET', `/connections/calendar/accounts/${identifier}`);
  const { baseUrl } = await getConnection('calendar');
  await fetch(new URL('/_sandbox/upstreams/calendar/revoke-grants', baseUrl), { method: 'POST' });
  const execution = call('POST', '/tools/calendar_list_calendars/execute', {
    connectedAccountId: account.id,
    toolInput: {},
  });
  await expect(execution).rejects.toThrow('account_not_authorized');
  const ended = { status: 'reauthorization_required', statusReason: 'refresh_refused' } as const;
  await page.reload();
  await page
    .getByText(accountWords({ ...ended, authType: 'oauth2', upstream: 'Calendar' }).explanation)
    .waitFor();
  await button(page, 'Create new link').click();
  await button(page, 'Create link').click();
  await giveConsent(page);
  await page.getByText('The user gave consent. The account is connected.').waitFor();
});

test('a revocation that the upstream did not confirm stays on the page', async () => {
  const page = await connectByLink(uniqueName('user'));
  await page.route('**/revoke', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), upstream: 'failed' } });
  });
  await button(page, 'Revoke access').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke access' }).click();
  await page.getByText('An operator revoked the access.').waitFor();
  await page
    .getByText('Calendar did not confirm the revocation. Revoke the access at Calendar too.')
    .waitFor();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
});

test('a new link of a connected account claims no consent when the account changes', async () => {
  const identifier = uniqueName('user');
  const page = await connectByLink(identifier);
  await button(page, 'Create new link').click();
  await button(page, 'Create link').click();
  await page.getByText('The account stays connected with its present access').waitFor();
  const read = page.waitForResponse((response) => response.url().includes(`/accounts/${identifier}`));
  await call('PUT', `/connections/calendar/accounts/${identifier}`, { metadata: { plan: 'pro' } });
  // The dialog reads the account again when its window becomes visible.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await read;
  expect(await page.getByText('The user gave consent. The account is connected.').count()).toBe(0);
});

test('selected accounts do not stay selected in another application', async () => {
  const identifier = uniqueName('user');
  await call('PUT', `/connections/calendar/accounts/${identifier}`, {});
  const other = await (await owner()).call<{ id: string }>('POST', '/applications', {
    name: uniqueName('Other'),
  });
  const page = await open(PATHS.accounts);
  await page.getByLabel('User identifier starts with').fill(identifier);
  await page.getByLabel(`Select ${identifier} on calendar`).check();
  await button(page, 'Create links (1)').waitFor();
  await page.getByRole('combobox', { name: 'Application', exact: true }).selectOption(other.id);
  await expect.poll(() => page.locator('main').textContent()).toContain('No connected accounts yet');
  expect(await page.getByRole('button', { name: /^Create links/ }).count()).toBe(0);
});

test('revoking ends the access but not the account, which a new link connects again', async () => {
  const identifier = uniqueName('user');
  const page = await connectByLink(identifier);
  const { id } = await call<Account>('GET', `/connections/calendar/accounts/${identifier}`);
  await button(page, 'Revoke access').click();
  const dialog = page.getByRole('dialog', { name: `Revoke access to the account “${identifier}”?` });
  await dialog.getByText('If Calendar supports revocation').waitFor();
  await dialog.getByText('existing links for the account stop working').waitFor();
  await dialog.getByRole('button', { name: 'Revoke access' }).click();
  await page.getByText('Access revoked in this service and at Calendar.').waitFor();
  await page.getByText('An operator revoked the access.').waitFor();
  expect(await button(page, 'Revoke access').count()).toBe(0);
  await button(page, 'Create new link').click();
  await button(page, 'Create link').click();
  await giveConsent(page);
  await page.getByText('The user gave consent. The account is connected.').waitFor();
  expect(await call('GET', `/connections/calendar/accounts/${identifier}`)).toMatchObject({
    id,
    status: 'authorized',
  });
});

test('accounts are filtered by the start of their identifier, and the URL contains the filters', async () => {
  const prefix = uniqueName('filtered');
  const identifiers = [`${prefix}/ä 1`, `${prefix}-2`];
  for (const identifier of [...identifiers, uniqueName('other')]) {
    await call('PUT', `/connections/workspace/accounts/${encodeURIComponent(identifier)}`, {});
  }
  const page = await open(PATHS.accounts);
  await page.getByLabel('User identifier starts with').fill(prefix);
  await page.waitForURL((url) => url.searchParams.get('identifier') === prefix);
  await page.getByLabel('Status').selectOption('unauthorized');
  await page.reload();
  await page.getByRole('link', { name: `${prefix}-2` }).waitFor();
  expect(await page.locator('tbody tr').count()).toBe(2);
  await page.getByRole('link', { name: `${prefix}/ä 1` }).click();
  await page.getByRole('heading', { name: `${prefix}/ä 1` }).waitFor();
});

test('deleting a connection shows the number of its accounts and needs a confirmation', async () => {
  const name = uniqueName('unused');
  await call('POST', '/connections', { connectionName: name, connector: 'network' });
  for (const user of ['a', 'b']) {
    await call('PUT', `/connections/${name}/accounts/${user}`, { apiKey: 'sandbox-key' });
  }
  const page = await open(PATHS.connection, { connectionName: name });
  await button(page, 'Delete connection').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The connection has 2 accounts.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await call<Account>('GET', `/connections/${name}/accounts/a`)).toMatchObject({ identifier: 'a' });
  await button(page, 'Delete connection').click();
  await dialog.getByRole('button', { name: 'Delete connection' }).click();
  await page.waitForURL(`**${hrefOf(PATHS.connections, { applicationId: applicationId() })}`);
  await expect(getConnection(name)).rejects.toThrow('404');
});

test('a reader sees no buttons that change connections or accounts', async () => {
  const { call: ask } = await owner();
  const { link } = await ask<{ link: string }>('POST', '/operators', {
    name: uniqueName('reader'),
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
    await waitForData(page);
    const buttons = await page.locator('main').locator('button:not(.sort), .button').allInnerTexts();
    expect(buttons.filter((text) => !['Copy', 'Export CSV'].includes(text))).toEqual([]);
  }
});

test('a new connection can use the sandbox, and its name is suggested in the allowed form', async () => {
  const page = await open(PATHS.newConnection);
  await page.locator('a[href*="connector=network"]').click();
  const name = uniqueName('sales team');
  await page.getByLabel('Name').fill(` Our ${name}!`);
  await page.getByText('Use up to 64 lowercase letters').waitFor();
  const suggested = `our-${name.replace(' ', '-')}`;
  await button(page, `Use “${suggested}”`).click();
  expect(await page.getByLabel('Name').inputValue()).toBe(suggested);
  await page.getByRole('radio', { name: /^Sandbox/ }).check();
  expect(await findBarriers(page)).toEqual([]);
  await button(page, 'Create connection').click();
  await page.getByText(`Connection “${suggested}” created.`).waitFor();
  expect((await getConnection(suggested)).baseUrl).toBe((await getConnection('network')).baseUrl);
});

test.each(['workspace', 'notesmcp'])(
  'a new connection of %s to the sandbox needs no client, and users can connect to it',
  async (connector) => {
    const connectionName = uniqueName(connector);
    const page = await open(PATHS.newConnection);
    await page.locator(`a[href*="connector=${connector}"]`).click();
    await page.getByLabel('Name').fill(connectionName);
    await page.getByRole('radio', { name: /^Sandbox/ }).check();
    await page
      .getByText('You do not have to register an OAuth client: the service registers one with the sandbox.')
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await button(page, 'Create connection').click();
    await page.getByText(`Connection “${connectionName}” created.`).waitFor();
    const [made, own] = await Promise.all([getConnection(connectionName), getConnection(connector)]);
    for (const name of ['baseUrl', 'authorizationEndpoint', 'tokenEndpoint'] as const)
      expect(made[name], name).toBe(own[name]);
    const account = await connectByLink('ada@example.com', '', connectionName);
    const facts = { status: 'authorized', authType: 'oauth2', upstream: connector } as const;
    await account.getByText(accountWords(facts).title, { exact: true }).first().waitFor();
  },
);

test('a connection without a client says so without names from the API', async () => {
  const connectionName = uniqueName('notes');
  await call('POST', '/connections', { connectionName, connector: 'calendar' });
  const page = await open(PATHS.connection, { connectionName });
  await page.getByRole('heading', { level: 1, name: connectionName }).waitFor();
  await waitForData(page);
  const text = (await page.getByRole('region', { name: 'State' }).textContent()) ?? '';
  expect(text).toContain('Setup incomplete');
  expect(text).not.toMatch(/\/v1\/|clientId|clientSecret/);
});

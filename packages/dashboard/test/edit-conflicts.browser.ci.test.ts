import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { PATHS } from '../src/paths.ts';
import { findBarriers } from './support/check-page.ts';
import { newApplication, pagePath, uniqueName } from './support/dialog-pages.ts';
import { owner, stage, visit } from './support/visit.ts';
import { waitForData } from './support/walk.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const alert = (page: Page) => page.getByRole('alert');

async function open(path: string, width = 1280): Promise<Page> {
  const { page } = await visit(onTestFinished, { as: await owner(), width });
  await page.goto(path);
  await waitForData(page);
  return page;
}

interface Stored {
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/** Creates a connection. Returns its page, and functions by which another operator reads and changes it. */
async function newConnection() {
  const { call } = await owner();
  const connections = `/applications/${stage().subjects['applicationId']}/connections`;
  const connectionName = uniqueName('video');
  const client = { clientId: 'first', clientSecret: 'stored' };
  await call('POST', connections, { connectionName, connector: 'video', ...client });
  return {
    path: pagePath(PATHS.connection, { connectionName }),
    read: () => call<Stored>('GET', `${connections}/${connectionName}`),
    change: (body: object) => call('PATCH', `${connections}/${connectionName}`, body),
  };
}

/** Types another client ID, while another operator changes the client ID and the scopes. */
async function makeConflict(width?: number) {
  const connection = await newConnection();
  const page = await open(connection.path, width);
  await page.getByLabel('Client ID').fill('mine');
  await page.getByLabel('Client secret').fill('my-secret');
  await connection.change({ clientId: 'theirs', clientSecret: 'their-secret', scopes: [] });
  await button(page, 'Save').click();
  await alert(page).getByText('admin changed these settings').waitFor();
  // The comparison shows the stored values after they are loaded again.
  await page.locator('td[data-label="Stored value"]').getByText('theirs', { exact: true }).waitFor();
  return { page, ...connection };
}

test.each([{ width: 1280 }, { width: 320 }])(
  'a conflict compares only the fields that differ, without secrets, at $width pixels',
  async ({ width }) => {
    const { page } = await makeConflict(width);
    const differences = page.getByRole('region', { name: 'Differences' });
    expect(await differences.locator('tbody tr').count()).toBe(1);
    expect(await differences.locator('td').allTextContents()).toEqual(['Client ID', 'mine', 'theirs']);
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  },
);

test('Use stored values discards the own changes and saves nothing', async () => {
  const { page, read } = await makeConflict();
  await button(page, 'Use stored values').click();
  await alert(page).waitFor({ state: 'detached' });
  expect(await page.getByLabel('Client ID').inputValue()).toBe('theirs');
  expect(await read()).toMatchObject({ clientId: 'theirs', scopes: [] });
  await page.getByRole('link', { name: 'Health' }).click();
  await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
});

test('Overwrite saves the own changes and keeps other changes of the other operator', async () => {
  const { page, read } = await makeConflict();
  await button(page, 'Overwrite').click();
  await page.getByText('Settings saved.').waitFor();
  expect(await read()).toMatchObject({ clientId: 'mine', scopes: [] });
  await alert(page).waitFor({ state: 'detached' });
});

test('a second change during the conflict is not overwritten unseen', async () => {
  const { page, read, change } = await makeConflict();
  await change({ clientId: 'third', clientSecret: 'their-secret' });
  await button(page, 'Overwrite').click();
  await page.locator('td[data-label="Stored value"]').getByText('third', { exact: true }).waitFor();
  expect(await read()).toMatchObject({ clientId: 'third' });
});

test('a conflict of application settings keeps the typed values', async () => {
  const path = await newApplication();
  const page = await open(path);
  await page.getByLabel('Origins').fill('https://mine.example.com');
  const { call } = await owner();
  await call('PATCH', `/applications/${path.split('/').at(-1)}`, { origins: ['https://theirs.example.com'] });
  await button(page, 'Save origins').click();
  await page.locator('td[data-label="Stored value"]').getByText('https://theirs.example.com').waitFor();
  expect(await page.getByLabel('Origins').inputValue()).toBe('https://mine.example.com');
  await button(page, 'Overwrite').click();
  await page.getByText('Origins saved.').waitFor();
});

test('a conflict in a dialog without fields names what the dialog can do', async () => {
  const path = await newApplication();
  const { call } = await owner();
  const application = `/applications/${path.split('/').at(-1)}`;
  await call('PATCH', application, { verifyUrl: 'https://app.example.com/verify' });
  const page = await open(path);
  await button(page, 'Switch to production').click();
  await call('PATCH', application, { name: uniqueName('renamed') });
  const dialog = page.getByRole('dialog');
  await button(page, 'Switch to production').last().click();
  await dialog.getByText(/changed these settings after you opened them/).waitFor();
  await dialog.getByText(/choose “Switch to production” again, or cancel\./).waitFor();
  expect(await dialog.getByText(/ETag/).count()).toBe(0);
  await button(page, 'Switch to production').last().click();
  await page.getByText('The application is now in production.').waitFor();
});

test('a conflict in a dialog shows the role that another owner has chosen', async () => {
  const name = uniqueName('ada');
  const { call } = await owner();
  await call('POST', '/operators', { name, role: 'operator' });
  const page = await open(PATHS.operators);
  await button(page, `Change the role of ${name}`).click();
  await page.getByRole('radio', { name: /^Reader/ }).check();
  await call('PATCH', `/operators/${name}`, { role: 'owner' });
  await button(page, 'Change role').click();
  await page.locator('td[data-label="Stored value"]').getByText('owner', { exact: true }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await button(page, 'Use stored values').click();
  expect(await page.getByRole('radio', { name: /^Owner/ }).isChecked()).toBe(true);
});

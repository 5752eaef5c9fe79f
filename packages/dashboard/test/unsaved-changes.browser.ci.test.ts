import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { PATHS } from '../src/paths.ts';
import { findBarriers } from './support/check-page.ts';
import { newApplication, pagePath, uniqueName } from './support/dialog-pages.ts';
import { owner, stage, visit } from './support/visit.ts';
import { waitForData } from './support/walk.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const question = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' });
const redirects = (page: Page) => page.getByLabel('Redirect URLs');

/** Opens the list of applications, then the settings of a new application, and types a redirect URL. */
async function typeRedirectUrl(): Promise<{ readonly page: Page; readonly path: string }> {
  const path = await newApplication();
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.goto(PATHS.applications);
  await waitForData(page);
  await page.locator(`a[href="${path}"]`).first().click();
  await heading(page, 'Developer settings');
  await waitForData(page);
  await redirects(page).fill('https://app.example.com/typed');
  return { page, path };
}

const WAYS = [
  { way: 'a link', go: (page: Page) => page.getByRole('link', { name: 'Health' }).click(), to: 'Health' },
  {
    way: 'Back',
    go: (page: Page) => page.evaluate(() => history.back()),
    to: 'Applications',
  },
];

test.each(WAYS)('$way asks before it discards changes, and Cancel keeps them', async ({ go, to }) => {
  const { page, path } = await typeRedirectUrl();
  await go(page);
  await question(page).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await button(page, 'Cancel').click();
  expect(await redirects(page).inputValue()).toBe('https://app.example.com/typed');
  expect(new URL(page.url()).pathname).toBe(path);
  await go(page);
  await button(page, 'Discard changes').click();
  await heading(page, to);
  expect(await question(page).count()).toBe(0);
});

test('a failed reload after another change keeps the input, and says that it failed', async () => {
  const { page, path } = await typeRedirectUrl();
  const id = path.split('/').at(-1) ?? '';
  await page.route(`**/operator/v1/applications/${id}`, (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  );
  await page.getByLabel('Origins').fill('https://app.example.com');
  await button(page, 'Save origins').click();
  await button(page, 'Try again').waitFor();
  expect(await redirects(page).inputValue()).toBe('https://app.example.com/typed');
  await page.unroute(`**/operator/v1/applications/${id}`);
  await button(page, 'Try again').click();
  await button(page, 'Try again').waitFor({ state: 'detached' });
  expect(await redirects(page).inputValue()).toBe('https://app.example.com/typed');
});

test('signing out asks before it discards changes', async () => {
  const { page } = await typeRedirectUrl();
  await button(page, 'Sign out').click();
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  expect(await redirects(page).inputValue()).toBe('https://app.example.com/typed');
});

test('a reload asks before it discards changes', async () => {
  const { page } = await typeRedirectUrl();
  // Waits until the page has noticed the input, which it does only after it has shown the input.
  const isGuarded = () =>
    page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  await expect.poll(isGuarded).toBe(true);
  const asked = page.waitForEvent('dialog');
  const reloaded = page.reload();
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.accept();
  await reloaded;
  await waitForData(page);
  expect(await redirects(page).inputValue()).toBe('');
});

test.each([
  {
    title: 'saved changes',
    finish: (page: Page) => button(page, 'Save URLs').click(),
    done: (page: Page) => page.getByText('URLs saved.').waitFor(),
  },
  {
    title: 'changes that were undone by hand',
    finish: (page: Page) => redirects(page).fill(''),
    done: async () => {},
  },
])('leaving the page after $title does not ask', async ({ finish, done }) => {
  const { page } = await typeRedirectUrl();
  await finish(page);
  await done(page);
  await page.getByRole('link', { name: 'Health' }).click();
  await heading(page, 'Health');
});

async function signInAgain(page: Page): Promise<void> {
  await page.getByText('Your session has ended.').waitFor();
  await page.getByLabel('Name').fill('admin');
  await page.getByLabel('Password').fill(stage().password);
  await button(page, 'Sign in').click();
}

test('changes are back after an expired session, but secrets are not', async () => {
  const { call } = await owner();
  const connectionName = uniqueName('video');
  const { applicationId } = stage().subjects;
  await call('POST', `/applications/${applicationId}/connections`, {
    connectionName,
    connector: 'video',
    clientId: 'first',
    clientSecret: 'stored',
  });
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.goto(pagePath(PATHS.connection, { connectionName }));
  await waitForData(page);
  await page.getByLabel('Client ID').fill('typed');
  await page.getByLabel('Client secret').fill('typed-secret');
  await page.context().clearCookies();
  await button(page, 'Save').click();
  await signInAgain(page);
  await page.getByText('Your unsaved changes were restored.').waitFor();
  expect(await page.getByLabel('Client ID').inputValue()).toBe('typed');
  expect(await page.getByLabel('Client secret').inputValue()).toBe('');
  await page.getByRole('link', { name: 'Health' }).click();
  await question(page).waitFor();
});

const TYPED = { scraper_token: 'typed-secret', profile_urls: ['https://example.com/in/ada'] };
const typeToolInput = async (page: Page) => {
  await page.goto(pagePath(PATHS.tool, { toolName: 'network_profiles_bulk_scrape' }));
  await waitForData(page);
  await page.getByLabel('Edit as JSON').check();
  await page.getByLabel('Input as JSON').fill(JSON.stringify(TYPED));
  // Waits until the accounts of "Run as" are loaded, which enables the button.
  await button(page, 'Dry run').click({ trial: true });
};
const typeReason = async (page: Page) => {
  await page.goto(pagePath(PATHS.approval));
  await waitForData(page);
  await button(page, 'Deny…').click();
  await page.getByLabel('Reason (optional)').fill('Wrong ad');
};

test.each([
  {
    title: 'the input of a tool',
    type: typeToolInput,
    send: (page: Page) => button(page, 'Dry run').click(),
    isBack: async (page: Page) => {
      await page.getByLabel('Edit as JSON').check();
      const { scraper_token: _, ...kept } = TYPED;
      expect(JSON.parse(await page.getByLabel('Input as JSON').inputValue())).toEqual(kept);
    },
  },
  {
    title: 'the reason of a denial',
    type: typeReason,
    send: (page: Page) => button(page, 'Deny').click(),
    isBack: async (page: Page) => {
      await button(page, 'Deny…').click();
      expect(await page.getByLabel('Reason (optional)').inputValue()).toBe('Wrong ad');
    },
  },
])('$title is back after an expired session', async ({ type, send, isBack }) => {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await type(page);
  await page.context().clearCookies();
  await send(page);
  await signInAgain(page);
  await waitForData(page);
  await isBack(page);
  await page.getByText('Your unsaved changes were restored.').waitFor();
});

test('leaving a typed tool input asks', async () => {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await typeToolInput(page);
  await page.getByRole('link', { name: 'Health' }).click();
  await question(page).waitFor();
});

test('changes of one operator are not shown to the next operator of the window', async () => {
  const { page } = await typeRedirectUrl();
  const { link } = await (await owner()).call<{ link: string }>('POST', '/operators', {
    name: uniqueName('bob'),
    role: 'operator',
  });
  await page.context().clearCookies();
  await button(page, 'Save URLs').click();
  await page.getByText('Your session has ended.').waitFor();
  const path = new URL(page.url()).pathname;
  // All windows of a browser share the session of the second operator.
  const other = await page.context().newPage();
  await other.goto(link);
  await button(other, 'Continue').click();
  await heading(page, 'Developer settings');
  await waitForData(page);
  expect(new URL(page.url()).pathname).toBe(path);
  expect(await redirects(page).inputValue()).toBe('');
});

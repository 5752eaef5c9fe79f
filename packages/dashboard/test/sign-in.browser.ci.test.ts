import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { PATHS } from '../src/paths.ts';
import { owner, stage, visit } from './support/visit.ts';
import { waitForData } from './support/walk.ts';

const TARGET = `${PATHS.audit}?action=operator.signed_in`;

/** A unique name for this test. */
const uniqueName = (): string => `ada-${crypto.randomUUID().slice(0, 8)}`;

interface Invited {
  readonly name: string;
  readonly link: string;
}

const invite = async (role: string): Promise<Invited> =>
  (await owner()).call<Invited>('POST', '/operators', { name: uniqueName(), role });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** The URL of the page without its origin. */
const addressOf = (page: Page): string => page.url().slice(stage().url.length);

async function signInAs(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
}

async function signInByLink(link: string): Promise<Page> {
  const { page } = await visit(onTestFinished);
  await page.goto(link);
  await button(page, 'Continue').click();
  await heading(page, 'Overview');
  return page;
}

/** Adds a virtual authenticator that always verifies its user. */
async function addDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('signing in by password opens the requested page', async () => {
  const { page, problems } = await visit(onTestFinished);
  await page.goto(TARGET);
  await heading(page, 'Sign in');
  expect(await page.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true);
  await signInAs(page, 'admin', stage().password);
  await heading(page, 'Audit log');
  await waitForData(page);
  expect(addressOf(page)).toBe(TARGET);
  expect(problems).toEqual([]);
});

test('a wrong password shows an error with the request ID', async () => {
  const { page } = await visit(onTestFinished);
  await page.goto(PATHS.overview);
  await signInAs(page, uniqueName(), 'not the password');
  expect(await page.getByRole('alert').textContent()).toMatch(/password is wrong.*Request ID req_/);
});

test('an expired session shows a message, and signing in returns to the same page', async () => {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.goto(`${PATHS.applications}?from=here`);
  await waitForData(page);
  await page.context().clearCookies();
  await button(page, 'Create application').click();
  await page.getByRole('dialog').getByLabel('Name').fill('Too late');
  await page.getByRole('dialog').getByRole('button', { name: 'Create application' }).click();
  await heading(page, 'Sign in');
  await page.getByText('Your session has ended.').waitFor();
  await signInAs(page, 'admin', stage().password);
  await heading(page, 'Applications');
  expect(addressOf(page)).toBe(`${PATHS.applications}?from=here`);
});

test('a one-time link is removed from the URL, works once, and lets the operator choose a password', async () => {
  const { name, link } = await invite('operator');
  const page = await signInByLink(link);
  expect(addressOf(page)).toBe(PATHS.overview);
  await page.getByRole('link', { name: 'Choose a password or add a passkey' }).click();
  await page.getByLabel('New password').fill('a long one of my own');
  expect(await page.getByLabel('Current password').count()).toBe(0);
  await button(page, 'Change password').click();
  await page.getByText('Password changed.').waitFor();
  await button(page, 'Sign out').click();
  await page.getByText('You are signed out.').waitFor();

  await page.goto(link);
  await button(page, 'Continue').click();
  expect(await page.getByRole('alert').textContent()).toMatch(/link was used/);
  await button(page, 'Sign in another way').click();
  await signInAs(page, name, 'a long one of my own');
  await heading(page, 'Overview');
});

test('a passkey signs in its operator until it is removed', async () => {
  const page = await signInByLink((await invite('operator')).link);
  await addDevice(page);
  await page.getByRole('link', { name: 'My sign-in' }).click();
  await page.getByLabel('Name of the new passkey').fill('laptop');
  await button(page, 'Add passkey').click();
  await page.getByRole('cell', { name: 'laptop', exact: true }).waitFor();

  await button(page, 'Sign out').click();
  await page.goto(PATHS.profile);
  await button(page, 'Sign in with a passkey').click();
  await heading(page, 'My sign-in');
  await button(page, 'Remove: laptop').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('You have no passkeys yet.').waitFor();

  await button(page, 'Sign out').click();
  await button(page, 'Sign in with a passkey').click();
  expect(await page.getByRole('alert').textContent()).toMatch(/passkey was not accepted/);
});

const READ_ONLY = ['Copy', 'Export CSV', 'Refresh', 'Previous', 'Next'];
/** Buttons of a page, without those in table headers that sort the rows. */
const BUTTONS = 'main button:not(.sort)';

test('a reader sees no buttons that change anything', async () => {
  const page = await signInByLink((await invite('reader')).link);
  const buttons: string[] = [];
  for (const path of [PATHS.applications, PATHS.operators, PATHS.audit, PATHS.health]) {
    await page.goto(path);
    await waitForData(page);
    buttons.push(...(await page.locator(BUTTONS).allTextContents()));
  }
  await page.goto(PATHS.application.replace(':applicationId', stage().subjects['applicationId'] ?? ''));
  await waitForData(page);
  buttons.push(...(await page.locator(BUTTONS).allTextContents()));
  expect(buttons.filter((name) => !READ_ONLY.includes(name))).toEqual([]);
});

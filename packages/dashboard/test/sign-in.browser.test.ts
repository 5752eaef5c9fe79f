import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { PATHS } from '../src/paths.ts';
import { owner, stage, visit } from './support/visit.ts';
import { settled } from './support/walk.ts';

const WANTED = `${PATHS.audit}?action=operator.signed_in`;

/** A name that no other test has. */
const someName = (): string => `ada-${crypto.randomUUID().slice(0, 8)}`;

interface Invited {
  readonly name: string;
  readonly link: string;
}

const invite = async (role: string): Promise<Invited> =>
  (await owner()).call<Invited>('POST', '/operators', { name: someName(), role });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Where the browser stands, without where the service is. */
const addressOf = (page: Page): string => page.url().slice(stage().url.length);

async function signInAs(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
}

async function comeByLink(link: string): Promise<Page> {
  const { page } = await visit(onTestFinished);
  await page.goto(link);
  await button(page, 'Continue').click();
  await heading(page, 'Overview');
  return page;
}

/** A device that answers for its user, as phones and laptops do once they saw the finger. */
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

test('whoever signs in by password stands where they wanted to go', async () => {
  const { page, problems } = await visit(onTestFinished);
  await page.goto(WANTED);
  await heading(page, 'Sign in');
  expect(await page.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true);
  await signInAs(page, 'admin', stage().password);
  await heading(page, 'Audit log');
  await settled(page);
  expect(addressOf(page)).toBe(WANTED);
  expect(problems).toEqual([]);
});

test('a wrong password is said in words, with the id of the request', async () => {
  const { page } = await visit(onTestFinished);
  await page.goto(PATHS.overview);
  await signInAs(page, someName(), 'not the password');
  expect(await page.getByRole('alert').textContent()).toMatch(/password is not right.*Request req_/);
});

test('a session that ended in the middle says so, and signing in leads back', async () => {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.goto(`${PATHS.applications}?from=here`);
  await settled(page);
  await page.context().clearCookies();
  await button(page, 'Make an application').click();
  await page.getByLabel('Name').fill('Too late');
  await button(page, 'Make it').click();
  await heading(page, 'Sign in');
  await page.getByText('Your session has ended.').waitFor();
  await signInAs(page, 'admin', stage().password);
  await heading(page, 'Applications');
  expect(addressOf(page)).toBe(`${PATHS.applications}?from=here`);
});

test('a one-time link leaves the address, works once, and leads to a password of one’s own', async () => {
  const { name, link } = await invite('operator');
  const page = await comeByLink(link);
  expect(addressOf(page)).toBe(PATHS.overview);
  await page.getByRole('link', { name: 'Choose a password or add a passkey' }).click();
  await page.getByLabel('The new password').fill('a long one of my own');
  expect(await page.getByLabel('The password you have').count()).toBe(0);
  await button(page, 'Change the password').click();
  await page.getByText('The new password counts from now on').waitFor();
  await button(page, 'Sign out').click();
  await page.getByText('You are signed out.').waitFor();

  await page.goto(link);
  await button(page, 'Continue').click();
  expect(await page.getByRole('alert').textContent()).toMatch(/link has been used/);
  await button(page, 'Sign in another way').click();
  await signInAs(page, name, 'a long one of my own');
  await heading(page, 'Overview');
});

test('a passkey signs its operator in until it is removed', async () => {
  const page = await comeByLink((await invite('operator')).link);
  await addDevice(page);
  await page.getByRole('link', { name: 'My sign-in' }).click();
  await page.getByLabel('Name of the new passkey').fill('laptop');
  await button(page, 'Add a passkey').click();
  await page.getByRole('cell', { name: 'laptop', exact: true }).waitFor();

  await button(page, 'Sign out').click();
  await page.goto(PATHS.profile);
  await button(page, 'Sign in with a passkey').click();
  await heading(page, 'My sign-in');
  await button(page, 'Remove: laptop').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('You have none yet.').waitFor();

  await button(page, 'Sign out').click();
  await button(page, 'Sign in with a passkey').click();
  expect(await page.getByRole('alert').textContent()).toMatch(/passkey was not accepted/);
});

const HARMLESS = ['Copy', 'Look again', 'Previous', 'Next'];

test('a reader finds nothing to press that would be refused', async () => {
  const page = await comeByLink((await invite('reader')).link);
  const offered: string[] = [];
  for (const path of [PATHS.applications, PATHS.operators, PATHS.audit, PATHS.health]) {
    await page.goto(path);
    await settled(page);
    offered.push(...(await page.locator('main button').allTextContents()));
  }
  await page.goto(PATHS.application.replace(':applicationId', stage().subjects['applicationId'] ?? ''));
  await settled(page);
  offered.push(...(await page.locator('main button').allTextContents()));
  expect(offered.filter((name) => !HARMLESS.includes(name))).toEqual([]);
});

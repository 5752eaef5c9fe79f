import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { PATHS } from '../src/paths.ts';
import { owner, stage, visit } from './support/visit.ts';
import { waitForData } from './support/walk.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

async function signInAs(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
  await heading(page, 'Overview');
}

async function signInByLink(page: Page): Promise<string> {
  const name = `eve-${crypto.randomUUID().slice(0, 8)}`;
  const invited = await (await owner()).call<{ link: string }>('POST', '/operators', {
    name,
    role: 'operator',
  });
  await page.goto(invited.link);
  await button(page, 'Continue').click();
  await heading(page, 'Overview');
  return name;
}

/** Opens two windows of one browser with the same session. */
async function openTwo(path: string) {
  const { page: first } = await visit(onTestFinished);
  await first.goto(PATHS.overview);
  await signInAs(first, 'admin', stage().password);
  const second = await first.context().newPage();
  await first.goto(path);
  await second.goto(PATHS.overview);
  await Promise.all([waitForData(first), waitForData(second)]);
  return { first, second };
}

test('a sign-out and a sign-in as another operator apply to every window', async () => {
  const { first, second } = await openTwo(PATHS.operators);
  await button(second, 'Sign out').click();
  await heading(first, 'Sign in');
  const name = await signInByLink(second);
  await heading(first, 'Operators');
  await link(first, `${name} Operator · My sign-in`).waitFor();
  expect(await button(first, 'Add operator').count()).toBe(0);
});

test('a form retains its input and is sent after the operator signed in again in another window', async () => {
  const { first, second } = await openTwo(PATHS.applications);
  const name = `Made ${crypto.randomUUID()}`;
  await button(first, 'Create application').click();
  await first.getByRole('dialog').getByLabel('Name').fill(name);
  // Replaces the session without notifying the other windows.
  const { password } = stage();
  await second.evaluate(
    (data) =>
      fetch('/operator/v1/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(data),
      }),
    { name: 'admin', password },
  );
  await first.getByRole('dialog').getByRole('button', { name: 'Create application' }).click();
  await button(first, 'Close after copying').click();
  await first.locator('main').getByText(name).first().waitFor();
});

test('a page whose script fails to load shows an error and loads after a retry', async () => {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.route('**/assets/tools-*', (route) => route.abort());
  await page.goto(PATHS.overview);
  await link(page, 'Tools').click();
  await heading(page, 'This page could not be loaded');
  await page.unroute('**/assets/tools-*');
  await link(page, 'Health').click();
  await heading(page, 'Health');
  await link(page, 'Tools').click();
  await button(page, 'Try again').click();
  await heading(page, 'Tools');
});

test('Back and a reload return to the same page of a list', async () => {
  const as = await owner();
  const { name } = await as.call<{ name: string }>('POST', '/operators', {
    name: `list-${crypto.randomUUID().slice(0, 8)}`,
    role: 'reader',
  });
  for (let made = 0; made < 51; made += 1) await as.call('POST', `/operators/${name}/sign-in-link`);
  const { page } = await visit(onTestFinished, { as });
  await page.goto(`${PATHS.audit}?action=operator.link_created`);
  const isOn = (number: number) => page.getByText(`Page ${number}`, { exact: true }).waitFor();
  await button(page, 'Next').click();
  await isOn(2);
  await page.reload();
  await isOn(2);
  await link(page, 'Health').click();
  await heading(page, 'Health');
  await page.goBack();
  await isOn(2);
  await button(page, 'Previous').click();
  await isOn(1);
  await page.goto(`${PATHS.audit}?action=operator.created`);
  await waitForData(page);
  expect(await page.getByText('Page 2', { exact: true }).count()).toBe(0);
});

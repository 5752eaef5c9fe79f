import { createClient } from '@svc/core';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { hrefOf, PATHS, withQuery } from '../src/paths.ts';
import { owner, stage, visit } from './support/visit.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

/** Creates an application, and returns its page and its environment variables. */
async function createApplication(name: string) {
  const { page, problems } = await visit(onTestFinished, { as: await owner() });
  await page.goto(PATHS.applications);
  await button(page, 'Create application').click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.keyboard.press('Enter');
  await button(page, 'Close after copying').waitFor();
  // Escape must not close a dialog whose content is never shown again.
  await page.keyboard.press('Escape');
  const lines = await dialog(page).getByRole('region', { name: 'Environment variables' }).textContent();
  await button(page, 'Close after copying').click();
  await page.getByRole('heading', { level: 1, name: 'Developer settings' }).waitFor();
  const settings = Object.fromEntries((lines ?? '').split('\n').map((line) => line.split('=')));
  return { page, problems, settings };
}

/** Checks whether the service issues a token for the client ID and secret. */
async function isAccepted({ SVC_CLIENT_ID: id, SVC_CLIENT_SECRET: secret }: Record<string, string>) {
  const response = await fetch(`${stage().url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return response.ok;
}

test('a client secret is shown once, works, is rotated and revoked', async () => {
  const { page, problems, settings } = await createApplication('Rotating');
  expect(settings['SVC_ENVIRONMENT_URL']).toBe(stage().url);
  expect(await isAccepted(settings)).toBe(true);
  await page.reload();
  await page.getByRole('heading', { name: 'Client secrets' }).waitFor();
  expect(await page.content()).not.toContain(settings['SVC_CLIENT_SECRET']);

  await button(page, 'Add client secret').click();
  await button(page, 'Close after copying').click();
  await page.locator('button:text-is("Revoke")').nth(1).waitFor();
  expect(await button(page, 'Add client secret').count(), 'at most two active secrets').toBe(0);
  await page.locator('button:text-is("Revoke")').first().click();
  await dialog(page).getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('cell', { name: /^Revoked/ }).waitFor();
  await page.locator('button:text-is("Revoke")').first().click();
  await dialog(page).getByText('Your application has no other active client secret.').waitFor();
  await dialog(page).getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The application has no active client secret').waitFor();
  expect(await isAccepted(settings)).toBe(false);
  expect(problems).toEqual([]);
});

test('origins are saved, and an agent token is listed with its limits and revoked', async () => {
  const { page, problems, settings } = await createApplication('In browsers');
  await page.getByLabel('Origins').fill('https://app.example.com/path');
  await button(page, 'Save origins').click();
  await page.getByText('is not an origin').waitFor();
  await page.getByLabel('Origins').fill('https://app.example.com\nhttp://localhost:3000');
  await button(page, 'Save origins').click();
  await page.getByText('Origins saved.').waitFor();
  const client = createClient({
    environmentUrl: stage().url,
    clientId: settings['SVC_CLIENT_ID'],
    clientSecret: settings['SVC_CLIENT_SECRET'],
  });
  const { id, token } = await client.agentToken({
    identifier: 'ada',
    readOnly: true,
    maxCalls: 7,
    expiresIn: 600,
  });
  await page.reload();
  expect(await page.getByLabel('Origins').inputValue()).toBe(
    'http://localhost:3000\nhttps://app.example.com',
  );
  const row = page.getByRole('row', { name: new RegExp(id) });
  await row.getByText('read-only; 7 calls').waitFor();
  expect(await page.content()).not.toContain(token);
  await row.getByRole('button', { name: /Revoke/ }).click();
  await dialog(page).getByRole('button', { name: 'Revoke' }).click();
  await row.getByText(/^Revoked/).waitFor();
  // The service rejected the origin with a path.
  expect(problems).toEqual([expect.stringContaining('400')]);
});

test('token import is allowed, and stays allowed after a reload', async () => {
  const { page } = await createApplication('Importing');
  const allow = page.getByLabel('Allow token import');
  expect(await allow.isChecked()).toBe(false);
  await allow.check();
  await button(page, 'Save token import').click();
  await page.getByText('Token import saved.').waitFor();
  await page.reload();
  expect(await allow.isChecked()).toBe(true);
});

test('an application switches to production with a verify URL, and is deleted after its name was typed', async () => {
  const { page } = await createApplication('Ready & <b>steady</b>');
  const production = button(page, 'Switch to production');
  expect(await production.isDisabled()).toBe(true);
  await page.getByLabel('User verification URL').fill('https://app.example.com/connected');
  await button(page, 'Save URLs').click();
  await production.click();
  await dialog(page).getByRole('button', { name: 'Switch to production' }).click();
  await page.getByText('In production', { exact: true }).waitFor();

  await button(page, 'Delete application').click();
  const confirm = dialog(page).getByRole('button', { name: 'Delete application' });
  await confirm.click();
  await dialog(page).getByRole('alert').waitFor();
  await dialog(page)
    .getByLabel(/^Type /)
    .fill('Ready & <b>steady</b>');
  await confirm.click();
  await page.getByRole('heading', { level: 1, name: 'Applications' }).waitFor();
  await page.getByText('steady</b> deleted.').waitFor();
});

test('an application without connections can create a connection to the sandbox', async () => {
  const { id } = await (await owner()).call<{ id: string }>('POST', '/applications', { name: 'Fresh' });
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.goto(withQuery(hrefOf(PATHS.newConnection, { applicationId: id }), { connector: 'calendar' }));
  await page.getByRole('radio', { name: /^Sandbox/ }).check();
  await button(page, 'Create connection').click();
  await page.getByRole('heading', { level: 1, name: 'calendar' }).waitFor();
  const path = `/applications/${id}/connections/calendar`;
  const { baseUrl } = await (await owner()).call<{ baseUrl: string }>('GET', path);
  expect(new URL(baseUrl).hostname).toBe('127.0.0.1');
});

import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { hrefOf, PATHS } from '../src/paths.ts';
import { findBarriers } from './support/check-page.ts';
import { giveAccess, REDIRECT_URI, type SigningApplication } from './support/give-access.ts';
import { newAgents } from './support/open-agents.ts';
import type { Operator } from './support/operator.ts';
import { owner, stage, visit } from './support/visit.ts';
import { waitForData } from './support/walk.ts';

type ApplicationRef = Pick<SigningApplication, 'applicationId'>;

const uniqueName = (what: string): string => `${what}-${crypto.randomUUID().slice(0, 8)}`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const grants = (page: Page) => page.getByLabel('Granted access, newest first').locator('tbody tr');

const call = async <Result>(
  { applicationId }: ApplicationRef,
  method: string,
  path: string,
  body?: unknown,
) => (await owner()).call<Result>(method, `/applications/${applicationId}${path}`, body);

const accessOf = (of: ApplicationRef) => call<object>(of, 'GET', '/agent-access');
const openNew = async () => newAgents(await owner(), stage().url);

async function newApplication(): Promise<ApplicationRef> {
  const { id } = await (await owner()).call<{ id: string }>('POST', '/applications', {
    name: uniqueName('App'),
  });
  return { applicationId: id };
}

async function open({ applicationId }: ApplicationRef, as?: Operator): Promise<Page> {
  const { page, problems } = await visit(onTestFinished, { as: as ?? (await owner()) });
  await page.goto(hrefOf(PATHS.agents, { applicationId }));
  await waitForData(page);
  expect(problems).toEqual([]);
  return page;
}

/** The status of the response to `tools/list`. */
async function statusOf({ url, applicationId }: SigningApplication, token: string, path = '') {
  const reply = await fetch(`${url}/mcp/apps/${applicationId}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  await reply.text();
  return reply.status;
}

test('an invalid sign-in URL shows its error, and a valid one shows the MCP server URL', async () => {
  const application = await newApplication();
  const page = await open(application);
  await page.getByText('Users cannot sign in through MCP clients yet.').waitFor();
  expect(await page.getByText('Connect a client').count()).toBe(0);
  const url = page.getByLabel('Sign-in URL');
  await url.fill('http://app.example.com/in');
  await button(page, 'Enable sign-in').click();
  await page.locator('.wrong', { hasText: 'The sign-in URL is not https' }).waitFor();
  expect(await url.getAttribute('aria-invalid')).toBe('true');
  expect(await url.evaluate((element) => element === document.activeElement)).toBe(true);
  await url.fill('https://app.example.com/in');
  await url.press('Enter');
  await page.getByText(`${stage().url}/mcp/apps/${application.applicationId}`, { exact: true }).waitFor();
  await page.getByText('Closed: only the clients in the list').waitFor();
  await page.getByLabel('Allow clients to register themselves').check();
  await button(page, 'Save').click();
  await page.getByText('Open: any client can register itself').waitFor();
  expect(await accessOf(application)).toEqual({
    signInUrl: 'https://app.example.com/in',
    registration: true,
    limits: {},
    etag: expect.any(String),
  });
});

test('the issuer keeps its secret and the limits when other settings change, until the sign-in is removed', async () => {
  const application = await newApplication();
  const limits = { readOnly: true, approve: 'destructive' };
  const body = { signInUrl: 'https://app.example.com/in', limits };
  await call(application, 'PUT', '/agent-access', body);
  const page = await open(application);
  await page.getByText('read-only; needs approval: destructive').waitFor();
  await page.getByLabel('An OpenID Connect issuer').check();
  await page.getByLabel('Issuer', { exact: true }).fill('https://login.example.com');
  await page.getByLabel('Client ID').fill('desk');
  await page.getByLabel('Client secret').fill('of the issuer');
  await page.getByLabel('Scopes').fill('email');
  await button(page, 'Save').click();
  await page
    .locator('.wrong', { hasText: '“Scopes” does not contain "openid". Add "openid" to the scopes.' })
    .waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByLabel('Scopes').fill('openid email');
  await button(page, 'Save').click();
  await page.getByText('The service encrypts the stored secret').waitFor();
  await page.getByLabel('Claim').fill('email');
  await button(page, 'Save').click();
  const openId = { issuer: 'https://login.example.com', clientId: 'desk', hasClientSecret: true };
  await expect
    .poll(() => accessOf(application))
    .toMatchObject({ openId: { ...openId, claim: 'email' }, limits });
  await page.getByLabel('Your application').check();
  await page.getByText('If you save, the service deletes the stored issuer').waitFor();
  await button(page, 'Remove sign-in').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Existing tokens expire within ten minutes').waitFor();
  await dialog.getByRole('button', { name: 'Remove sign-in' }).click();
  await page.getByText('Users cannot sign in through MCP clients yet.').waitFor();
  expect(await accessOf(application)).toEqual({
    registration: false,
    limits: {},
    etag: expect.any(String),
  });
});

test('a client is added with its redirect URIs, gets an ID, and is deleted with its grants', async () => {
  const agents = await openNew();
  const page = await open(agents);
  await button(page, 'Add client').click();
  await page.getByLabel('Name', { exact: true }).fill('Claude');
  await page.getByLabel('Redirect URIs').fill('http://evil.example/callback');
  await page.getByRole('dialog').getByRole('button', { name: 'Add client' }).click();
  await page.getByRole('dialog').locator('.wrong', { hasText: 'A redirect URI is invalid' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByLabel('Redirect URIs').fill(`https://claude.example/callback\n${REDIRECT_URI}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Add client' }).click();
  const made = page.getByRole('dialog', { name: 'Client ID of Claude' });
  const clientId = (await made.locator('code').textContent()) ?? '';
  await button(page, 'Done').click();
  const row = page.getByLabel('Clients', { exact: true }).locator('tbody tr', { hasText: clientId });
  await row.getByText('https://claude.example/callback').waitFor();
  const token = await giveAccess(agents, { clientId, identifier: 'ada' });
  expect(await statusOf(agents, token)).toBe(200);
  await button(page, 'Delete: Claude').click();
  await page.getByText('The service revokes all tokens of the client').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await row.waitFor({ state: 'detached' });
  await grants(page)
    .getByText(/^Revoked/)
    .waitFor();
  expect(await statusOf(agents, token)).toBe(401);
});

async function register({ url, applicationId }: SigningApplication): Promise<string> {
  const reply = await fetch(`${url}/agents/${applicationId}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Somebody’s editor', redirect_uris: [REDIRECT_URI] }),
  });
  return ((await reply.json()) as { client_id: string }).client_id;
}

test('grants are listed in words, filtered by user, and revoked with their tokens', async () => {
  const agents = await openNew();
  await call(agents, 'PUT', '/agent-access', {
    signInUrl: 'https://app.example.com/in',
    registration: true,
  });
  const clientId = await register(agents);
  const token = await giveAccess(agents, { clientId, identifier: 'ada', connector: 'calendar' });
  await giveAccess(agents, { clientId: agents.clientId, identifier: 'grace', scope: 'tools:read' });
  const page = await open(agents);
  await expect
    .poll(() => grants(page).allInnerTexts())
    .toEqual([
      expect.stringMatching(
        /^grace\s+Desk helper\s+Added manually\s+Read-only tools\s.*Expires\sin (?:29|30) days/s,
      ),
      expect.stringMatching(/^ada\s+Somebody’s editor\s+Self-registered\s+All tools of Calendar\s/),
    ]);
  await page.getByLabel('Exact user identifier').fill('ad');
  await page.getByText('This user has not granted access to any client.').waitFor();
  await page.getByLabel('Exact user identifier').fill('ada');
  await expect.poll(() => grants(page).count()).toBe(1);
  expect(new URL(page.url()).searchParams.get('identifier')).toBe('ada');
  expect(await statusOf(agents, token, '/calendar')).toBe(200);
  await button(page, 'Revoke: Somebody’s editor for ada').click();
  await page.getByText('The client can no longer act for “ada”').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await grants(page)
    .getByText(/^Revoked/)
    .waitFor();
  expect(await page.getByRole('button', { name: /^Revoke/ }).count()).toBe(0);
  expect(await statusOf(agents, token, '/calendar')).toBe(401);
  const { items } = await (await owner()).call<{ items: { action: string }[] }>(
    'GET',
    `/audit-events?applicationId=${agents.applicationId}&action=agent_grant.revoked`,
  );
  expect(items).toHaveLength(1);
});

test('a reader sees the settings, clients and grants, but no buttons', async () => {
  const { call: manage } = await owner();
  const { link } = await manage<{ link: string }>('POST', '/operators', {
    name: uniqueName('reader'),
    role: 'reader',
  });
  const { page } = await visit(onTestFinished);
  await page.goto(link);
  await button(page, 'Continue').click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const agents = await openNew();
  await giveAccess(agents, { clientId: agents.clientId, identifier: 'ada' });
  await page.goto(hrefOf(PATHS.agents, { applicationId: agents.applicationId }));
  await page.getByText('https://app.example.com/agent-sign-in').waitFor();
  await page.getByText('Limits for all clients: none').waitFor();
  await grants(page).getByText('ada').waitFor();
  await page.getByLabel('Clients', { exact: true }).getByText('Desk helper').waitFor();
  const controls = await page
    .locator('main')
    .locator('button:not(.sort), .button, input:not([type=search])')
    .allTextContents();
  expect(controls.filter((text) => !['Copy', 'Export CSV'].includes(text))).toEqual([]);
});

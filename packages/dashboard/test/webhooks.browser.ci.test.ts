import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { hrefOf, PATHS } from '../src/paths.ts';
import { addEndpoint, attemptedDelivery } from './support/add-endpoint.ts';
import { findBarriers } from './support/check-page.ts';
import { type Operator, signIn } from './support/operator.ts';
import { type Receiver, receiveWebhooks } from './support/receive-webhooks.ts';
import { type StartedService, startService } from './support/start-service.ts';
import { visit } from './support/visit.ts';
import { waitForData } from './support/walk.ts';

const PASSWORD = 'orchid-battery-7';
const SOON = { timeout: 20_000 };
const LIST = 'convintel_activities_list';

let receiver: Receiver;
let service: StartedService;
let owner: Operator;
let applicationId: string;
let users = 0;

beforeAll(async () => {
  receiver = await receiveWebhooks();
  service = await startService({
    SVC_FIRST_OPERATOR_PASSWORD: PASSWORD,
    SVC_ALLOWED_ORIGINS: `webhooks=${receiver.origin}`,
  });
  owner = await signIn({ url: service.url, password: PASSWORD });
  const { items } = await owner.call<{ items: { id: string }[] }>('GET', '/applications');
  applicationId = items[0]?.id ?? '';
  return async () => {
    await service.stop();
    await receiver.stop();
  };
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Connects a new user, which writes an event. */
function connect(): Promise<unknown> {
  users += 1;
  const accounts = `/applications/${applicationId}/connections/network/accounts`;
  return owner.call('PUT', `${accounts}/user-${users}`, { apiKey: 'sandbox-key' });
}

async function open(path: string, subjects: Readonly<Record<string, string>> = {}): Promise<Page> {
  const { page } = await visit(onTestFinished, { as: owner, url: service.url });
  await page.goto(hrefOf(path, { applicationId, ...subjects }));
  await waitForData(page);
  return page;
}

/** Connects an account whose upstream sends webhooks and has a list that can be watched. */
async function connectWatched(): Promise<{ readonly accountId: string; readonly inside: string }> {
  const inside = `/applications/${applicationId}`;
  const account = `${inside}/connections/convintel/accounts/ada`;
  const { id } = await owner.call<{ id: string }>('PUT', account, { bearerToken: 'sandbox-ada' });
  await owner.call('POST', `${inside}/accounts/${id}/webhooks`, { trigger: 'conversation_processed' });
  const list = { connectedAccountId: id, toolName: LIST, toolInput: { status: 'completed' }, every: 1 };
  await owner.call('POST', `${inside}/watches`, list);
  return { accountId: id, inside };
}

const newEndpoint = (path: string) =>
  addEndpoint(owner, applicationId, { url: receiver.origin + path, description: `Receiver ${path}` });

/** Creates an endpoint, and connects a user. Returns the IDs of the endpoint, of its attempted delivery and event. */
async function newDelivery(path: string) {
  const endpointId = await newEndpoint(path);
  await connect();
  const { id: deliveryId, eventId } = await attemptedDelivery(owner, applicationId, endpointId);
  return { endpointId, deliveryId, eventId };
}

test('a new endpoint shows its signing secret once, and then only its settings', async () => {
  const page = await open(PATHS.webhooks);
  await button(page, 'Add endpoint').first().click();
  await page.getByLabel('URL').fill(`${receiver.origin}/new`);
  await page.getByLabel('Description').fill('Production');
  await page.getByLabel('Account deleted').check();
  await page.getByLabel('convintel.conversation_processed').first().check();
  await page.getByLabel('Connection', { exact: true }).selectOption('calendar');
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'New signing secret' });
  const secret = (await dialog.locator('code').textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  await button(page, 'Close after copying').click();
  await page.getByRole('link', { name: `${receiver.origin}/new` }).click();
  await page.getByRole('heading', { name: 'Production', level: 1 }).waitFor();
  await waitForData(page);
  expect(await page.content()).not.toContain(secret);
  expect(await page.getByLabel('Account deleted').isChecked()).toBe(true);
  expect(await page.getByLabel('convintel.conversation_processed').first().isChecked()).toBe(true);
  const connection = page.getByLabel('Connection', { exact: true });
  await expect.poll(() => connection.inputValue()).toBe('calendar');
  await connection.selectOption('All connections');
  await button(page, 'Save').click();
  await page.getByText('Settings saved.').waitFor();
  await page.reload();
  await waitForData(page);
  expect(await connection.inputValue()).toBe('');
});

test('a refused URL is shown at its field', async () => {
  const page = await open(PATHS.webhooks);
  await button(page, 'Add endpoint').first().click();
  await page.getByLabel('URL').fill('http://10.0.0.1/hook');
  await page.getByLabel('Account deleted').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
  await page.locator('[aria-invalid="true"]').waitFor();
  expect(await page.getByLabel('URL').getAttribute('aria-invalid')).toBe('true');
});

test('a conflict compares the settings of an endpoint with those of another operator', async () => {
  const endpointId = await newEndpoint('/edited');
  const page = await open(PATHS.webhookEndpoint, { endpointId });
  await page.getByLabel('Description').fill('Mine');
  const path = `/applications/${applicationId}/webhook-endpoints/${endpointId}`;
  await owner.call('PATCH', path, { description: 'Theirs' });
  await button(page, 'Save').click();
  await page.getByRole('alert').getByText('changed these settings').waitFor();
  const differences = page.getByRole('region', { name: 'Differences' });
  await expect
    .poll(() => differences.locator('td').allTextContents())
    .toEqual(['Description', 'Mine', 'Theirs']);
  await button(page, 'Overwrite').click();
  await page.getByText('Settings saved.').waitFor();
  expect(await owner.call('GET', path)).toMatchObject({ description: 'Mine' });
});

test('a delivery shows each attempt with its response, and can be resent', async () => {
  const { deliveryId } = await newDelivery('/503');
  const page = await open(PATHS.delivery, { deliveryId });
  await page.getByText('Retrying', { exact: true }).waitFor();
  const attempts = page.getByRole('region', { name: 'Attempts, oldest first' });
  await attempts.getByText('Status 503').first().waitFor();
  await attempts.getByText('The database of the receiver').first().waitFor();
  await page.getByText('"account.authorized"').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const before = await attempts.locator('tbody tr').count();
  await button(page, 'Resend').click();
  await expect.poll(() => attempts.locator('tbody tr').count()).toBeGreaterThan(before);
});

test('the filters of deliveries combine and stay in the URL', async () => {
  const { endpointId, deliveryId } = await newDelivery('/204');
  const page = await open(PATHS.webhooks);
  const rows = page.getByRole('region', { name: 'Deliveries, newest first' }).locator('tbody tr');
  const filters = page.getByRole('search').last();
  await filters.getByLabel('Endpoint').selectOption(endpointId);
  await filters.getByLabel('State').selectOption('Delivered');
  await filters.getByLabel('Event', { exact: true }).selectOption('Account authorized');
  await expect.poll(() => rows.count()).toBe(1);
  await page.reload();
  await expect.poll(() => rows.count()).toBe(1);
  expect(await rows.locator('a').first().getAttribute('href')).toContain(deliveryId);
  await filters.getByLabel('State').selectOption('Failed');
  await page.getByText('No deliveries match these filters.').waitFor();
});

test('rotating a secret shows the new one once, and both secrets sign', async () => {
  const { endpointId } = await newDelivery('/signed');
  const page = await open(PATHS.webhookEndpoint, { endpointId });
  await button(page, 'Rotate secret').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  const dialog = page.getByRole('dialog', { name: 'New signing secret' });
  expect(await dialog.locator('code').textContent()).toMatch(/^whsec_/);
  await button(page, 'Close after copying').click();
  await page.getByText('Two secrets sign the deliveries.').waitFor();
  expect(await page.content()).not.toContain('whsec_');
  await connect();
  await expect.poll(() => receiver.signatures().length).toBe(2);
});

test('a test event is sent from the page of the endpoint', async () => {
  const { endpointId } = await newDelivery('/204');
  const page = await open(PATHS.webhookEndpoint, { endpointId });
  await button(page, 'Send test event').click();
  await page.getByText('"endpoint.tested"').waitFor();
  await page.getByText('Status 204').first().waitFor(SOON);
  expect(await findBarriers(page)).toEqual([]);
});

test('an endpoint that the service disabled appears in the overview, and can be enabled again', async () => {
  const { endpointId } = await newDelivery('/410');
  const overview = await open(PATHS.overview);
  const health = await open(PATHS.health);
  for (const page of [overview, health]) {
    const table = page.getByRole('region', { name: 'Webhook endpoints that need attention' });
    await table.getByText(/responded with status 410/).waitFor(SOON);
    expect(await findBarriers(page)).toEqual([]);
  }
  await overview.getByRole('link', { name: `${receiver.origin}/410` }).click();
  await overview.getByText('Disabled', { exact: true }).waitFor();
  await button(overview, 'Enable endpoint').click();
  await overview.getByText('Enabled', { exact: true }).waitFor();
  const path = `/applications/${applicationId}/webhook-endpoints/${endpointId}`;
  expect(await owner.call('GET', path)).toMatchObject({ enabled: true });
  const table = health.getByRole('region', { name: 'Webhook endpoints that need attention' });
  await table.getByText(/responded with status 410/).waitFor({ ...SOON, state: 'detached' });
  await owner.call('DELETE', path);
});

test('read-only operators see endpoints and deliveries, but no controls that change them', async () => {
  const { endpointId, deliveryId, eventId } = await newDelivery('/204');
  const reader = { name: 'reader', role: 'reader' };
  const { link } = await owner.call<{ link: string }>('POST', '/operators', reader);
  const { page } = await visit(onTestFinished, { url: service.url });
  await page.goto(link);
  await button(page, 'Continue').click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  for (const path of [PATHS.webhooks, PATHS.webhookEndpoint, PATHS.delivery, PATHS.event]) {
    await page.goto(hrefOf(path, { applicationId, endpointId, deliveryId, eventId }));
    await waitForData(page);
    const controls = page.locator('main').locator('button:not(.sort), .button, input:not([type=search])');
    const texts = await controls.allInnerTexts();
    expect(texts.filter((text) => !['Copy', 'Export CSV', 'Previous', 'Next'].includes(text))).toEqual([]);
  }
});

test('a delivery and an endpoint are found by their IDs', async () => {
  const { endpointId, deliveryId } = await newDelivery('/204');
  const page = await open(PATHS.search);
  for (const [id, heading] of [
    [deliveryId, 'Account authorized'],
    [endpointId, 'Receiver /204'],
  ] as const) {
    await page.goto(`${PATHS.search}?q=${id}`);
    await page.locator(`main a[href$="${id}"]`).first().click();
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  }
});

test('the page of an account shows its watches and webhooks, and continues and deletes a failed watch', async () => {
  const { accountId, inside } = await connectWatched();
  const page = await open(PATHS.account, { accountId });
  const watches = page.getByRole('region', { name: 'Watches of upstream lists' });
  const webhooks = page.getByRole('region', { name: 'Webhooks from the upstream' });
  await expect.poll(() => watches.textContent(), SOON).toContain('Watching');
  expect(await webhooks.textContent()).toMatch(/conversation_processed.*Active.*Never/);
  const policy = (tools: object) =>
    owner.call('PATCH', `${inside}/connections/convintel`, { approve: { default: 'never', tools } });
  await policy({ [LIST]: 'always' });
  await expect.poll(() => watches.textContent(), SOON).toMatch(/Failed.*need approval.*Not scheduled/);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers(page)).toEqual([]);
  }
  const overview = await open(PATHS.overview);
  const troubled = overview.getByRole('region', { name: 'Watches that need attention' });
  expect(await findBarriers(overview)).toEqual([]);
  expect(await troubled.textContent()).toMatch(/convintel_activities_list.*ada.*Failed/);
  await policy({});
  const polls = await watches.getByRole('link', { name: 'Show polls' }).getAttribute('href');
  const list = await open(polls ?? '');
  await list.getByRole('link', { name: LIST }).first().waitFor();
  await button(page, `Continue: ${LIST}`).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await expect.poll(() => watches.textContent(), SOON).toContain('Watching');
  await button(page, `Delete: ${LIST}`).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => watches.count(), SOON).toBe(0);
  expect(await webhooks.count()).toBe(1);
});

test('the page of a connection shows the webhook address only if the upstream sends webhooks', async () => {
  const sending = await open(PATHS.connection, { connectionName: 'convintel' });
  expect(await sending.locator('main').textContent()).toContain(`${service.url}/hooks/`);
  const other = await open(PATHS.connection, { connectionName: 'network' });
  expect(await other.locator('main').textContent()).not.toContain('Address for webhooks');
});

import { connectSandbox } from '@svc/sandbox';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { hrefOf, PATHS } from '../src/paths.ts';
import { type Operator, signIn } from './support/operator.ts';
import { type StartedService, startService } from './support/start-service.ts';
import { visit } from './support/visit.ts';

const PASSWORD = 'orchid-battery-7';
const CONNECTION = 'network';
// A problem must appear and disappear on an open page within this time.
const SOON = { timeout: 10_000 };

let service: StartedService;
let operator: Operator;
let applicationId: string;

beforeAll(async () => {
  service = await startService({
    SVC_FIRST_OPERATOR_PASSWORD: PASSWORD,
    SVC_RATE_APPLICATION: '1000',
    SVC_RATE_ACCOUNT: '1000',
  });
  operator = await signIn({ url: service.url, password: PASSWORD });
  const { items } = await operator.call<{ items: { id: string }[] }>('GET', '/applications');
  applicationId = items[0]?.id ?? '';
  return service.stop;
});

async function connect(identifier: string): Promise<string> {
  const path = `/applications/${applicationId}/connections/${CONNECTION}/accounts/${identifier}`;
  return (await operator.call<{ id: string }>('PUT', path, { apiKey: 'sandbox-key' })).id;
}

const execute = (connectedAccountId: string) =>
  operator.call('POST', `/applications/${applicationId}/tools/network_geo_search/execute`, {
    connectedAccountId,
    toolInput: { search: 'Berlin' },
  });

async function openPage(path: string, connectionName = CONNECTION) {
  const { page } = await visit(onTestFinished, { as: operator, url: service.url });
  await page.goto(hrefOf(path, { applicationId, connectionName }));
  return page;
}

test('open pages show within 10 s that an upstream does not answer, and that it answers again', async () => {
  const { sandbox: found } = await operator.call<{ sandbox: { url: string } }>('GET', '/health');
  const sandbox = await connectSandbox(found.url);
  const accounts = [await connect('ada'), await connect('bob')];
  for (const id of accounts) await execute(id);
  const overview = await openPage(PATHS.overview);
  const connection = await openPage(PATHS.connection);
  const health = await openPage(PATHS.health);
  await overview.getByText('No connection or connected account reports a problem.').waitFor();
  await connection.getByText('Working', { exact: true }).waitFor();
  await health.getByText('The service has no known problem.').waitFor();

  await sandbox.dials(CONNECTION, { failNext: { count: 100_000, status: 503 } });
  const calls = Array.from({ length: 60 }, (_, at) => execute(accounts[at % 2] ?? ''));
  const results = await Promise.allSettled(calls);
  expect(results.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  for (const page of [overview, connection, health]) {
    await page.getByText('Not answering', { exact: true }).waitFor(SOON);
    await page.getByText(/The upstream has not answered since \d\d:\d\d\./).waitFor(SOON);
  }
  const [first] = await overview.getByLabel('Connections that need attention').locator('tbody a').all();
  expect(await first?.textContent()).toBe(CONNECTION);

  await sandbox.dials(CONNECTION, { failNext: null });
  await expect
    .poll(
      () =>
        execute(accounts[0] ?? '').then(
          () => 'works',
          () => 'fails',
        ),
      { timeout: 20_000 },
    )
    .toBe('works');
  for (const page of [overview, connection, health])
    await page.getByText('Not answering', { exact: true }).waitFor({ ...SOON, state: 'detached' });
  await overview.getByText('No connection or connected account reports a problem.').waitFor(SOON);
  await connection.getByText('Working', { exact: true }).waitFor(SOON);
  await health.getByText('The service has no known problem.').waitFor(SOON);
});

test('a failed test of a connection is still shown after the page is loaded again', async () => {
  const path = `/applications/${applicationId}/connections`;
  await operator.call('POST', path, {
    connectionName: 'wrong',
    connector: 'network',
    baseUrl: 'https://api.unreachable.invalid',
  });
  const page = await openPage(PATHS.connection, 'wrong');
  await page.getByText('Not tested yet').waitFor();
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByText('Test failed', { exact: true }).waitFor();
  await page.reload();
  await page.getByText('Test failed', { exact: true }).waitFor();
  await page.getByText(/^The last test failed (just now|.* ago)\. /).waitFor();
  await page.getByRole('link', { name: 'Show failed calls' }).click();
  await page.waitForURL(({ searchParams }) => searchParams.get('connectionName') === 'wrong');
});

test('an account shows that its key is not tested, until a call succeeds', async () => {
  const { sandbox: found } = await operator.call<{ sandbox: { url: string } }>('GET', '/health');
  const sandbox = await connectSandbox(found.url);
  const own = `/applications/${applicationId}`;
  await sandbox.dials('convintel', { failNext: { count: 1000, status: 503 } });
  const account = `${own}/connections/convintel/accounts/ada`;
  const { id } = await operator.call<{ id: string }>('PUT', account, { bearerToken: 'sandbox-key' });
  const tool = `${own}/tools/convintel_organization_get/execute`;
  const isExecuted = () =>
    operator.call('POST', tool, { connectedAccountId: id, toolInput: {} }).then(Boolean, () => false);
  expect(await isExecuted()).toBe(false);
  await sandbox.dials('convintel', { failNext: null });
  const { page } = await visit(onTestFinished, { as: operator, url: service.url });
  await page.goto(hrefOf(PATHS.account, { applicationId, accountId: id }));
  await page.getByText('Not tested yet', { exact: true }).first().waitFor();
  const { page: other } = await visit(onTestFinished, { as: operator, url: service.url });
  for (const path of [PATHS.accounts, PATHS.user]) {
    await other.goto(hrefOf(path, { applicationId, identifier: 'ada' }));
    await other.getByRole('table').getByText('Not tested yet', { exact: true }).first().waitFor();
  }
  await other.goto(hrefOf(PATHS.connection, { applicationId, connectionName: 'convintel' }));
  await other.getByText('(1 not tested yet)').waitFor();
  await expect.poll(isExecuted).toBe(true);
  await page.getByText('Connected', { exact: true }).first().waitFor(SOON);
});

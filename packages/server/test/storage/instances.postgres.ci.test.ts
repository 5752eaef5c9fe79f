import { existsSync } from 'node:fs';
import { startSandbox } from '@svc/sandbox';
import { expect, test } from 'vitest';
import { tablesIn } from '../support/databases/postgres.js';
import { newEmptyDatabaseUrl } from '../support/databases/test-database.js';
import { newPort } from '../support/processes/new-port.js';
import {
  newDataFolder,
  runService,
  type ServiceSettings,
  startProcess,
} from '../support/processes/service-process.js';
import { listFor, listForSandbox } from '../support/service/allowed-origins.js';
import { type Application, fetchReply, signIn } from '../support/service/application.js';
import { signInOperator } from '../support/service/operator.js';
import { RAISED_LIMITS } from '../support/service/raised-limits.js';
import { startDocuments } from '../support/upstreams/documents.js';

const PASSWORD = 'password-of-the-test';

/** Returns settings for `count` instances that share a database and a root key. Each has its own port and folder. */
async function settingsOf(databaseUrl: string, count: number): Promise<readonly ServiceSettings[]> {
  const env = {
    DATABASE_URL: databaseUrl,
    SVC_ROOT_KEY: Buffer.alloc(32, 7).toString('base64'),
    SVC_FIRST_OPERATOR_PASSWORD: PASSWORD,
  };
  const ports = await Promise.all(Array.from({ length: count }, newPort));
  const shared = { env, clientId: 'app_test', clientSecret: 'secret-of-the-test' };
  return ports.map((port) => ({ ...shared, port, data: newDataFolder() }));
}

test('four processes that start together on an empty database create one first application', async ({
  onTestFinished,
}) => {
  const databaseUrl = await newEmptyDatabaseUrl();
  const started = await Promise.allSettled((await settingsOf(databaseUrl, 4)).map(startProcess));
  for (const result of started) if (result.status === 'fulfilled') onTestFinished(result.value.kill);
  expect(started.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
  const applications: unknown[] = [];
  for (const result of started) {
    if (result.status !== 'fulfilled') continue;
    const { call } = await signInOperator({ url: result.value.url, name: 'admin', password: PASSWORD });
    applications.push((await call('GET', '/applications')).json<{ items: unknown[] }>().items);
    expect((await signIn(result.value)).accessToken).toMatch(/^svc_at_/);
  }
  expect(applications[0]).toHaveLength(1);
  for (const seen of applications) expect(seen).toEqual(applications[0]);
});

test('A5: a client secret revoked on one instance stops working on another within 5 s', async ({
  onTestFinished,
}) => {
  const databaseUrl = await newEmptyDatabaseUrl();
  const [one, other] = await settingsOf(databaseUrl, 2);
  if (!one || !other) throw new Error('expected two instances');
  const first = await startProcess(one);
  onTestFinished(first.kill);
  const second = await startProcess(other);
  onTestFinished(second.kill);
  const { call } = await signInOperator({ url: first.url, name: 'admin', password: PASSWORD });
  const [here, there] = [await signIn(first), await signIn(second)];
  for (const { call } of [here, there]) expect((await call('GET', '/v1/connections')).status).toBe(200);
  const secrets = (await call('GET', '/applications/app_test/client-secrets')).json<{
    items: { id: string }[];
  }>();

  await call('DELETE', `/applications/app_test/client-secrets/${secrets.items[0]?.id}`);

  expect((await here.call('GET', '/v1/connections')).status).toBe(401);
  await expect(signIn(second)).rejects.toThrow(/401/);
  await new Promise((resolve) => setTimeout(resolve, 5000));
  expect((await there.call('GET', '/v1/connections')).status).toBe(401);
});

test('T4: the calls of a token are counted across all instances', async ({ onTestFinished }) => {
  const settings = await settingsOf(await newEmptyDatabaseUrl(), 2);
  const raised = settings.map((each) => ({ ...each, env: { ...each.env, ...RAISED_LIMITS } }));
  const [first, second] = await Promise.all(raised.map(startProcess));
  if (!first || !second) throw new Error('expected two instances');
  for (const { kill } of [first, second]) onTestFinished(kill);
  const { call } = await signIn(first);
  await call('POST', '/v1/connections', {
    body: { connectionName: 'keyed', connector: 'network', baseUrl: 'https://api.example.com' },
  });
  await call('PUT', '/v1/connections/keyed/accounts/ada', { body: { apiKey: 'some-key' } });
  const body = { identifier: 'ada', expiresIn: 60, maxCalls: 7 };
  const { token } = (await call('POST', '/v1/agent-tokens', { body })).json<{ token: string }>();
  const headers = { authorization: `Bearer ${token}` };
  // A call to `/none` counts against `maxCalls`, then fails with `invalid_request`: the connector has no such route.
  const callProxy = ({ url }: { url: string }) => fetchReply(`${url}/v1/proxy/keyed/ada/none`, { headers });
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, index) => callProxy(index % 2 ? first : second)),
  );
  const codes = replies.map((reply) => reply.headers.get('svc-error'));
  expect(codes.filter((code) => code === 'invalid_request')).toHaveLength(7);
  expect(codes.filter((code) => code === 'not_permitted')).toHaveLength(23);
});

test('O14: 50 simultaneous first users on two instances cause one registration', async ({
  onTestFinished,
}) => {
  const documents = await startDocuments();
  onTestFinished(documents.stop);
  documents.describe();
  const origins = listFor(['notesmcp'], [documents.origin]);
  const shared = { SVC_ENVIRONMENT_URL: 'http://localhost:4400', SVC_ALLOWED_ORIGINS: origins };
  const settings = await settingsOf(await newEmptyDatabaseUrl(), 2);
  const applications: Application[] = [];
  for (const each of settings) {
    const instance = await startProcess({ ...each, env: { ...each.env, ...shared } });
    onTestFinished(instance.kill);
    applications.push(await signIn(instance));
  }
  const body = { connectionName: 'notes', connector: 'notesmcp', baseUrl: documents.origin };
  await applications[0]?.call('POST', '/v1/connections', { body });

  const links = await Promise.all(
    Array.from({ length: 50 }, (_, user) =>
      applications[user % 2]?.call('POST', `/v1/connections/notes/accounts/user_${user}/authorization-link`, {
        body: {},
      }),
    ),
  );

  expect(links.map((link) => link?.status)).toEqual(Array(50).fill(200));
  expect(documents.requests.filter(({ url }) => url === '/register')).toHaveLength(1);
});

test('H1: one of several simultaneous calls on two instances runs after an approval on either', async ({
  onTestFinished,
}) => {
  const sandbox = await startSandbox({ connectors: ['network'] });
  onTestFinished(sandbox.stop);
  const limits = { SVC_RATE_APPLICATION: '1000', SVC_RATE_ACCOUNT: '1000' };
  const shared = { SVC_ALLOWED_ORIGINS: listForSandbox(sandbox), ...limits };
  const applications: Application[] = [];
  for (const each of await settingsOf(await newEmptyDatabaseUrl(), 2)) {
    const instance = await startProcess({ ...each, env: { ...each.env, ...shared } });
    onTestFinished(instance.kill);
    applications.push(await signIn(instance));
  }
  const [first, second] = applications;
  if (!first || !second) throw new Error('expected two instances');
  const { baseUrl } = sandbox.upstream('network');
  const connection = { connectionName: 'network', connector: 'network', baseUrl };
  const approve = { default: 'always', tools: {} };
  await first.call('POST', '/v1/connections', { body: { ...connection, approve } });
  const account = { body: { apiKey: 'sandbox-network' } };
  await first.call('PUT', '/v1/connections/network/accounts/ada', account);
  const body = { connectionName: 'network', identifier: 'ada', toolInput: { search: 'Berlin' } };
  const search = ({ call }: Application) => call('POST', '/v1/tools/network_geo_search/execute', { body });
  const { error } = (await search(first)).json<{ error: { details: { id: string } } }>();
  await second.call('POST', `/v1/approvals/${error.details.id}`, { body: { decision: 'approve' } });
  await sandbox.clearRequests();

  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, at) => search(at % 2 === 0 ? first : second)),
  );

  expect(await sandbox.requests('network')).toHaveLength(1);
  const ran = new Set(replies.filter(({ status }) => status === 200).map(({ text }) => text));
  expect(ran.size).toBe(1);
  expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
  expect([...ran]).toEqual([(await search(second)).text]);
});

const SHARED_RATE = 20;
// Duration of the load in milliseconds. A long load outweighs the calls that instances allow before they share counts.
const HAMMERED_MS = 12_000;

/** Calls for `ms` with three callers per application. Returns how many calls passed and how many the limit allows. */
async function hammer(applications: readonly Application[], ms: number) {
  const began = performance.now();
  const allowed: number[] = [];
  const caller = async ({ call }: Application) => {
    while (performance.now() - began < ms) {
      const { status } = await call('GET', '/v1/connectors');
      if (status === 200) allowed.push(performance.now());
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await Promise.all(
    applications.flatMap((application) => Array.from({ length: 3 }, () => caller(application))),
  );
  return { allowed: allowed.length, limit: SHARED_RATE * (2 + (performance.now() - began) / 1000) };
}

test('A9: two instances enforce the shared rate limit of an application within 10 %', async ({
  onTestFinished,
}) => {
  const rate = { SVC_RATE_APPLICATION: String(SHARED_RATE) };
  const instances: ServiceSettings[] = [];
  for (const each of await settingsOf(await newEmptyDatabaseUrl(), 2)) {
    const instance = await startProcess({ ...each, env: { ...each.env, ...rate } });
    onTestFinished(instance.kill);
    instances.push(instance);
  }
  const [first, second] = instances.map(({ port }) => `http://localhost:${port}`);
  if (!first || !second) throw new Error('expected two instances');
  const { call } = await signInOperator({ url: first, name: 'admin', password: PASSWORD });
  const signInAt = async (...urls: readonly string[]) => {
    const made = await call('POST', '/applications', { body: { name: 'Busy' } });
    const { id: clientId, clientSecret } = made.json<{ id: string; clientSecret: string }>();
    return Promise.all(urls.map((url) => signIn({ url, clientId, clientSecret })));
  };
  for (const applications of [await signInAt(first, second), await signInAt(first)]) {
    const { allowed, limit } = await hammer(applications, HAMMERED_MS);
    expect(allowed / limit).toBeGreaterThan(0.9);
    expect(allowed / limit).toBeLessThan(1.1);
  }
}, 120_000);

test.each([
  { title: 'an invalid root key', env: { SVC_ROOT_KEY: 'open sesame' } },
  { title: 'a catalogue that does not exist', env: { SVC_CATALOG: '/nowhere/at/all' } },
  { title: 'an address of another machine', env: { SVC_HOST: '192.0.2.1' } },
  { title: 'a data folder that cannot be created', env: { SVC_DATA: '/dev/null/data' } },
])('a start that is refused for $title leaves an empty database empty', async ({ env }) => {
  const databaseUrl = await newEmptyDatabaseUrl();
  const own = { DATABASE_URL: databaseUrl, SVC_DATA: newDataFolder(), SVC_PORT: String(await newPort()) };
  const { code, stderr } = await runService({ env: { ...own, ...env } }).ended;
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^.+\n$/) });
  expect(await tablesIn(databaseUrl)).toEqual([]);
});

test('a start without the key of a shared database creates no key of its own', async ({ onTestFinished }) => {
  const databaseUrl = await newEmptyDatabaseUrl();
  const [settings] = await settingsOf(databaseUrl, 1);
  if (!settings) throw new Error('expected one instance');
  const { kill } = await startProcess(settings);
  onTestFinished(kill);
  const data = newDataFolder();
  const env = { DATABASE_URL: databaseUrl, SVC_DATA: data, SVC_PORT: String(await newPort()) };
  const { code, stderr } = await runService({ env }).ended;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `The root key file ${data}/root.key does not exist. Restore the file from a backup. Or set SVC_ROOT_KEY to the root key, or to "file:" and the right path.\n`,
  });
  expect(existsSync(data)).toBe(false);
});

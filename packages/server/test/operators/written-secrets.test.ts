import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createDelivery } from '../support/events/create-delivery.js';
import { createStoppedWatch } from '../support/events/watching.js';
import { type OpenApi, type Operation, operationsOf } from '../support/requests/operations.js';
import { createSecrets } from '../support/secrets/secrets.js';
import { type CallOptions, signIn } from '../support/service/application.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
import { requestApproval } from '../support/service/request-approval.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const PREFIX = '/operator/v1';
const secrets = createSecrets();
const responses: string[] = [];

let service: Service;
let operator: SignedInOperator;
let exists: Readonly<Record<string, string>>;
let operations: readonly Operation[];

/** Calls an operation and records its response. `visible` lists the fields that may contain a new secret this once. */
async function write(
  method: string,
  path: string,
  options: CallOptions = {},
  visible: readonly string[] = [],
) {
  const { status, text } = await operator.call(method, path, options);
  expect({ method, path, status }).toEqual({ method, path, status: expect.toBeOneOf([200, 201, 204]) });
  const output: Record<string, unknown> = text === '' ? {} : JSON.parse(text);
  for (const name of visible) secrets.add(`${name} of ${path}`, String(output[name]).replace(/^.*#/, ''));
  const remaining = Object.entries(output).filter(([name]) => !visible.includes(name));
  responses.push(JSON.stringify(Object.fromEntries(remaining)));
  return output;
}

/** Sends or creates a secret of every kind through the operator API. */
async function writeSecrets(): Promise<void> {
  const inside = `/applications/${service.clientId}`;
  const { canary } = secrets;
  const connection = { connectionName: 'own', connector: 'calendar', clientId: 'own' };
  const clientSecret = canary('a client secret of a connection');
  await write('POST', `${inside}/connections`, { body: { ...connection, clientSecret } });
  const changed = { clientSecret: canary('a changed client secret of a connection') };
  await write('PATCH', `${inside}/connections/own`, { body: changed });
  await write('PUT', `${inside}/connections/convintel/accounts/user_43`, {
    body: { bearerToken: canary('a bearer token'), verify: false },
  });
  await write('PUT', `${inside}/connections/network/accounts/user_43`, {
    body: {
      apiKey: canary('an API key'),
      credentials: { scraper_token: canary('a secondary credential') },
      verify: false,
    },
  });
  const openId = { issuer: 'https://login.example.com', clientId: 'own' };
  await write('PUT', `${inside}/agent-access`, {
    body: { openId: { ...openId, clientSecret: canary('a client secret at an issuer') } },
  });
  const endpoint = { url: 'https://hooks.example.com/svc', types: ['account.deleted'], enabled: false };
  const { id } = await write('POST', `${inside}/webhook-endpoints`, { body: endpoint }, ['secret']);
  await write('POST', `${inside}/webhook-endpoints/${id}/rotate-secret`, {}, ['secret']);
  await write('POST', '/applications', { body: { name: 'Notes' } }, ['clientSecret']);
  await write('POST', `${inside}/client-secrets`, {}, ['clientSecret']);
  await write('POST', '/operators', { body: { name: 'grace', role: 'reader' } }, ['link']);
  await write('POST', '/operators/grace/sign-in-link', {}, ['link']);
  const newPassword = canary('a password of an operator');
  const password = canary('the first password of an operator');
  await write('PUT', '/session/password', { body: { password: firstPassword, newPassword: password } });
  await write('PUT', '/session/password', { body: { password, newPassword } });
}

let firstPassword: string;

beforeAll(async () => {
  service = await startService({ connectors: ['convintel', 'network', 'workspace'] });
  const { url, app, clientId, clientSecret } = service;
  const ada = await app.operators.create('ada', 'owner');
  firstPassword = ada.password;
  operator = await signInOperator({ url, ...ada });
  const application = await signIn(service);
  const { accessToken } = application;
  secrets.add('the client secret of the application', clientSecret);
  secrets.add('an access token', accessToken);
  secrets.add('the random password of an operator', ada.password);
  secrets.add('the session of an operator', operator.cookie.replace(/^.*=/, ''));
  const account = await connectAccount(service, 'workspace');
  await writeSecrets();
  await service.svc.executeTool({
    toolName: 'workspace_users_list',
    connectedAccountId: account.id,
    toolInput: {},
  });
  const executionId = await vi.waitFor(async () => {
    const { items } = (await operator.call('GET', `/applications/${clientId}/executions`)).json<{
      items: { id: string }[];
    }>();
    expect(items).not.toEqual([]);
    return items[0]?.id ?? '';
  }, 20_000);
  exists = {
    applicationId: clientId,
    connectionName: 'workspace',
    identifier: 'user_42',
    id: account.id,
    executionId,
    ...(await createDelivery(application)),
    watchId: await createStoppedWatch(application, account.id, 'workspace_pages_search'),
    approvalId: await requestApproval(application, {
      connectionName: 'workspace',
      connectedAccountId: account.id,
      toolName: 'workspace_users_list',
      toolInput: { page_size: 1 },
    }),
  };
  operations = operationsOf((await operator.call('GET', '/openapi.json')).json<OpenApi>());
});
afterAll(() => service.stop());

const NAMES: Readonly<Record<string, string>> = { connectors: 'workspace', tools: 'workspace_users_list' };
// Required query parameters by operation.
const QUERIES: Readonly<Record<string, string>> = {
  '/audit-events/export': '?format=jsonl',
  '/search': '?q=user',
  '/applications/{applicationId}/execution-statistics': `?from=2026-01-01T00:00:00Z&to=${new Date().toISOString()}`,
};

test('D3: no operator operation returns a stored or received secret', async () => {
  expect(secrets.names().length).toBeGreaterThan(12);
  const reads = operations.filter(({ method }) => method === 'GET');
  expect(reads.length).toBeGreaterThan(15);
  for (const { path } of reads) {
    const own = path.slice(PREFIX.length);
    const filled = own.replace(
      /\{(\w+)\}/g,
      (_, name: string) => exists[name] ?? NAMES[own.split('/')[1] ?? ''] ?? '',
    );
    const { status, text, headers } = await operator.call('GET', filled + (QUERIES[own] ?? ''));
    expect({ path, status }).toEqual({ path, status: 200 });
    const seen = Buffer.from(JSON.stringify([...headers]) + text);
    expect({ path, leaks: secrets.findIn(seen) }).toEqual({ path, leaks: [] });
  }
  expect(responses.length).toBeGreaterThan(8);
  expect(secrets.findIn(Buffer.from(responses.join('\n')))).toEqual([]);
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPort } from '../support/processes/new-port.js';
import { listForSandbox } from '../support/service/allowed-origins.js';
import { type Application, signIn } from '../support/service/application.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
import { type Service, startService } from '../support/service/service.js';

interface Check {
  readonly isWorking: boolean;
  readonly steps: readonly { readonly name: string; readonly result: string; readonly message: string }[];
}

const SECRET = 'a-secret-that-nobody-may-see';

let service: Service;
let application: Application;
let operator: SignedInOperator;
/** Upstream that responds to every path with `scripted`, which each test sets. */
let endpoint: Server;
let origin: string;
let scripted = { status: 200, body: '{}' };
/** URL with a port on which no server listens. */
let silent: string;

beforeAll(async () => {
  endpoint = createServer((request, response) => {
    request.resume();
    response.writeHead(scripted.status, { 'content-type': 'application/json' }).end(scripted.body);
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
  silent = `http://127.0.0.1:${await newPort()}`;
  const sandbox = await startSandbox({ connectors: ['calendar', 'workspace', 'notesmcp', 'convintel'] });
  const origins = listForSandbox(sandbox, [origin, silent]);
  service = await startService({ sandbox, flags: ['--allowed-origins', origins] });
  application = await signIn(service);
  operator = await signInOperator({
    url: service.url,
    ...(await service.app.operators.create('ada', 'owner')),
  });
});
afterAll(async () => {
  await service.stop();
  endpoint.close();
});

const check = async (connectionName: string): Promise<Check> =>
  (await application.call('POST', `/v1/connections/${connectionName}/check`)).json();
const resultsOf = ({ steps }: Check) => Object.fromEntries(steps.map(({ name, result }) => [name, result]));
const messageOf = ({ steps }: Check, name: string) => steps.find((step) => step.name === name)?.message;

let made = 0;
/** Creates a connection with the URLs of the emulated service. `settings` overrides single fields. */
async function connect(connector: string, settings: object = {}): Promise<string> {
  made += 1;
  const connectionName = `${connector}-${made}`;
  const { baseUrl, authorizationEndpoint, tokenEndpoint } = service.sandbox.upstream(connector);
  const body = { connectionName, connector, baseUrl, authorizationEndpoint, tokenEndpoint, ...settings };
  const reply = await application.call('POST', '/v1/connections', { body });
  if (reply.status !== 201) throw new Error(reply.text);
  return connectionName;
}

test.each(['calendar', 'workspace'])('the check passes with the correct client of %s', async (connector) => {
  const seen = await check(connector);
  expect(resultsOf(seen)).toEqual({ base_url: 'passed', token_endpoint: 'passed', client: 'passed' });
  expect(seen.isWorking).toBe(true);
  expect(messageOf(seen, 'client')).toMatch(/accepts clientId and clientSecret/);
});

test.each(['calendar', 'workspace'])(
  'the check reports a wrong client secret of %s and does not return it',
  async (connector) => {
    const { clientId } = (await application.call('GET', `/v1/connections/${connector}`)).json<{
      clientId: string;
    }>();
    const name = await connect(connector, { clientId, clientSecret: SECRET });
    const seen = await check(name);
    expect(resultsOf(seen)).toEqual({ base_url: 'passed', token_endpoint: 'passed', client: 'failed' });
    expect(seen.isWorking).toBe(false);
    expect(messageOf(seen, 'client')).toContain(`set them with PATCH /v1/connections/${name}`);
    expect(JSON.stringify(seen)).not.toContain(SECRET);
    // Checks that a failed check does not change the connection. Only failing calls of users set `statusReason`.
    const { text } = await application.call('GET', `/v1/connections/${name}`);
    expect(text).not.toContain('statusReason');
  },
);

test('the check reports a missing client id and how to set it', async () => {
  const name = await connect('calendar');
  const seen = await check(name);
  expect(resultsOf(seen)).toEqual({ base_url: 'passed', client: 'failed' });
  expect(messageOf(seen, 'client')).toContain(
    `Set clientId and clientSecret with PATCH /v1/connections/${name}`,
  );
});

const CLIENT = { clientId: 'x', clientSecret: SECRET };

test.each([
  {
    title: 'that cannot be reached',
    tokenEndpoint: () => `${silent}/token`,
    message:
      /cannot be reached. Retry later. If the URL of the token endpoint is wrong, correct "tokenEndpoint"/,
  },
  {
    title: 'that returns a page',
    tokenEndpoint: () => origin,
    status: 200,
    body: '<html>',
    message: /authorization server broke the OAuth protocol/,
  },
  {
    title: 'that returns 503',
    tokenEndpoint: () => origin,
    status: 503,
    body: '{}',
    message: /responded with 503/,
  },
  {
    title: 'that accepts an invalid code',
    tokenEndpoint: () => origin,
    status: 200,
    body: '{"access_token":"given-to-anybody","token_type":"Bearer"}',
    message: /accepts an invalid authorization code, so its URL is wrong: correct "tokenEndpoint"/,
  },
])(
  'the check reports a token endpoint $title',
  async ({ tokenEndpoint, status = 200, body = '', message }) => {
    scripted = { status, body };
    const name = await connect('calendar', { ...CLIENT, tokenEndpoint: tokenEndpoint() });
    const seen = await check(name);
    expect(resultsOf(seen)).toEqual({ base_url: 'passed', token_endpoint: 'failed', client: 'skipped' });
    expect(messageOf(seen, 'token_endpoint')).toMatch(message);
    expect(JSON.stringify(seen)).not.toMatch(/given-to-anybody|127\.0\.0\.1/);
  },
);

test('the check skips the client when the token endpoint returns a non-standard error', async () => {
  scripted = { status: 400, body: `{"error":"bad_verification_code","error_description":"${SECRET}"}` };
  const seen = await check(await connect('calendar', { ...CLIENT, tokenEndpoint: origin }));
  expect(resultsOf(seen)).toEqual({ base_url: 'passed', token_endpoint: 'passed', client: 'skipped' });
  expect(seen.isWorking).toBe(true);
  expect(JSON.stringify(seen)).not.toContain(SECRET);
});

test('N3: the check reports a blocked address and how an operator can allow it', async () => {
  const name = await connect('calendar', {
    ...CLIENT,
    baseUrl: 'https://10.0.0.1',
    tokenEndpoint: 'https://10.0.0.1/token',
  });
  const seen = await check(name);
  expect(resultsOf(seen)).toEqual({ base_url: 'failed', token_endpoint: 'failed', client: 'skipped' });
  for (const step of ['base_url', 'token_endpoint'])
    expect(messageOf(seen, step)).toMatch(/no public address. An operator can list its origin/);
  const { items } = (await operator.call('GET', `/audit-events?pageSize=5`)).json<{
    items: readonly { action: string; object: string }[];
  }>();
  expect(items).toContainEqual(expect.objectContaining({ action: 'address.refused', object: '10.0.0.1' }));
});

test('the check of an MCP server runs discovery and registers a client', async () => {
  const seen = await check('notesmcp');
  expect(resultsOf(seen)).toEqual({ discovery: 'passed', token_endpoint: 'passed', client: 'passed' });
  scripted = { status: 404, body: '{}' };
  const nowhere = await connect('notesmcp', {
    baseUrl: origin,
    authorizationEndpoint: undefined,
    tokenEndpoint: undefined,
  });
  const undiscovered = await check(nowhere);
  expect(resultsOf(undiscovered)).toEqual({ discovery: 'failed', client: 'skipped' });
  expect(messageOf(undiscovered, 'discovery')).toMatch(
    /publishes no authorization server. Ask the operator of the MCP server to publish metadata that names one. If `baseUrl` of the connection is wrong/,
  );
});

test('the check of a connection with API keys calls the base URL', async () => {
  expect(resultsOf(await check('convintel'))).toEqual({ base_url: 'passed', client: 'skipped' });
  scripted = { status: 503, body: '{}' };
  const own = { authorizationEndpoint: undefined, tokenEndpoint: undefined };
  const failing = await check(await connect('convintel', { ...own, baseUrl: origin }));
  expect(resultsOf(failing)).toEqual({ base_url: 'failed', client: 'skipped' });
  const unreachable = await check(await connect('convintel', { ...own, baseUrl: silent }));
  expect(messageOf(unreachable, 'base_url')).toBe(
    'The upstream cannot be reached. Retry later. If `baseUrl` of the connection is wrong, correct it.',
  );
});

test('L2: a check by an operator writes an audit event with its result', async () => {
  const path = `/applications/${service.clientId}/connections`;
  expect((await operator.call('POST', `${path}/calendar/check`)).json()).toMatchObject({ isWorking: true });
  const missing = await operator.call('POST', `${path}/missing/check`);
  expect([missing.status, missing.headers.get('svc-error')]).toEqual([404, 'connection_not_found']);
  const events = await operator.call('GET', '/audit-events?pageSize=1');
  expect(events.json()).toMatchObject({
    items: [{ action: 'connection.checked', actor: 'operator:ada', result: 'done', reason: 'working' }],
  });
});

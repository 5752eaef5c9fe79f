import { request as httpRequest } from 'node:http';
import { startSandbox } from '@svc/sandbox';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { applicationOperationsOf, fillPath, readOpenApi } from '../support/requests/operations.js';
import { createSecrets } from '../support/secrets/secrets.js';
import { listForSandbox } from '../support/service/allowed-origins.js';
import { type Application, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';
import { type ListeningHost, startListeningHost } from '../support/upstreams/listening-host.js';

const CONNECTIONS = {
  workspace: '/v1/users',
  network: '/network/v1/profile?url=a',
  notesmcp: '/mcp',
  convintel: '/v2/users',
} as const;
type Name = keyof typeof CONNECTIONS;
const NAMES = Object.keys(CONNECTIONS) as Name[];
const USER = 'user_42';

const secrets = createSecrets();
let host: ListeningHost;
let service: Service;
let call: Application['call'];
let client: { readonly clientId: string; readonly clientSecret: string };
let accountId = '';
let bodies: readonly Body[];
let settings: readonly string[];

interface Body {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly string[];
}

/** Returns every operation with a JSON body, and the names of its fields. */
async function readBodies(): Promise<readonly Body[]> {
  const document = await readOpenApi(service.url);
  return applicationOperationsOf(document).flatMap(({ method, path, requestBody }) => {
    const { schema = {} } = requestBody?.content?.['application/json'] ?? {};
    const fields = 'properties' in schema ? Object.keys(Object(schema.properties)) : [];
    return fields.length === 0 ? [] : [{ method, path, fields }];
  });
}

const one = (name: string) => `/v1/connections/${name}`;
const accountOf = (name: string) => `${one(name)}/accounts/${USER}`;
const key = (name: string) => `sandbox-${secrets.canary(name)}`;

async function issuerOf(mcpUrl: string): Promise<string> {
  const challenge = (await fetch(mcpUrl, { method: 'POST' })).headers.get('www-authenticate');
  const [, document = ''] = /resource_metadata="([^"]+)"/.exec(challenge ?? '') ?? [];
  const { authorization_servers: servers } = JSON.parse(await (await fetch(document)).text());
  return String(servers[0]);
}

/** Connects all accounts. API keys are canaries; OAuth tokens are known only to the sandbox. */
async function connectAll(): Promise<void> {
  const { redirectUri } = (await call('GET', one('workspace'))).json<{ redirectUri: string }>();
  client = await service.sandbox.registerClient('workspace', { redirectUris: [redirectUri] });
  secrets.add('the client secret', client.clientSecret);
  await call('PATCH', one('workspace'), { body: client });
  await connectAccount(service, 'workspace');
  accountId = (await connectAccount(service, 'notesmcp')).id;
  const credentials = { scraper_token: key('a scraper token'), timetracking_token: key('a tracking token') };
  await call('PUT', accountOf('network'), { body: { apiKey: key('an API key'), credentials } });
  await call('PUT', accountOf('convintel'), { body: { bearerToken: key('a bearer token') } });
}

beforeAll(async () => {
  const sandbox = await startSandbox({ connectors: NAMES });
  host = await startListeningHost(await issuerOf(`${sandbox.upstream('notesmcp').baseUrl}/mcp`));
  service = await startService({
    sandbox,
    flags: ['--allowed-origins', listForSandbox(sandbox, [host.origin])],
  });
  ({ call } = await signIn(service));
  await connectAll();
  bodies = await readBodies();
  settings = bodies.find(({ method }) => method === 'PATCH')?.fields ?? [];
});

afterAll(async () => {
  await service.stop();
  host.stop();
});

afterEach(() => expect(host.leaks(secrets)).toEqual([]));

/**
 * Triggers everything that sends secrets: a proxied call, a token refresh, and the start of an authorization. Returns
 * the status of the call.
 */
async function use(name: Name): Promise<number> {
  const isApproved = name === 'workspace' || name === 'notesmcp';
  if (isApproved) await service.sandbox.expireTokens(name);
  const reply = await call('GET', `/v1/proxy/${name}/${USER}${CONNECTIONS[name]}`);
  if (isApproved) await call('POST', `${accountOf(name)}/authorization-link`);
  return reply.status;
}

/** Returns values that an attacker may set: URLs of the listening host, in every form that the setting accepts. */
async function valuesFor(name: Name, setting: string): Promise<readonly unknown[]> {
  const { hosts } = (await call('GET', one(name))).json<{ hosts: object }>();
  const diverted = Object.keys(hosts).map((one) => ({ [one]: `${host.origin}/led` }));
  if (setting === 'hosts') return diverted;
  if (setting === 'scopes') return [[host.origin]];
  if (setting === 'region') return ['eu', host.origin];
  if (setting.startsWith('client')) return ['mine-client-or-secret'];
  return [`${host.origin}/led`, `${host.origin}/theirs`];
}

test('D3: the tested settings are those of the API document', () => {
  expect(settings).toEqual(expect.arrayContaining(['baseUrl', 'hosts', 'tokenEndpoint', 'clientSecret']));
});

test.each(NAMES)(
  'D3, O15: no changed setting sends the secrets of %s to a listed origin of the caller',
  async (name) => {
    for (const setting of settings) {
      for (const value of await valuesFor(name, setting)) {
        for (const more of [
          {},
          { clientSecret: 'mine-secret' },
          { clientId: 'mine-client', clientSecret: 'mine-secret' },
        ]) {
          const { status } = await call('PATCH', one(name), { body: { ...more, [setting]: value } });
          const isAddress = !setting.startsWith('client') && setting !== 'scopes';
          if (isAddress)
            expect({ setting, more, isRefused: status === 409 || status === 400 }).toMatchObject({
              isRefused: true,
            });
          if (status === 200) await use(name);
        }
      }
    }
    if (name === 'workspace') await call('PATCH', one(name), { body: { ...client, scopes: [] } });
    await use(name);
  },
  60_000,
);

test('D3, O15: no field of another operation sends a secret to another origin', async () => {
  const known = {
    connectionName: 'network',
    identifier: USER,
    id: accountId,
    toolName: 'notesmcp_list_meetings',
    name: 'network',
    path: 'x',
    approvalId: `appr_${'0'.repeat(24)}`,
    endpointId: `ep_${'0'.repeat(24)}`,
    eventId: `evt_${'0'.repeat(24)}`,
    deliveryId: `dlv_${'0'.repeat(24)}`,
  };
  expect(bodies.length).toBeGreaterThan(4);
  for (const { method, path, fields } of bodies.filter(({ method }) => method !== 'PATCH')) {
    for (const field of fields) {
      const values = {
        connectionName: `led-${fields.length}`,
        connector: 'workspace',
        connectedAccountId: accountId,
        toolInput: {},
      };
      const required = Object.entries(values).filter(([name]) => fields.includes(name));
      for (const value of [host.origin, { [field]: host.origin }, { scraper: host.origin }])
        await call(method, fillPath(path, known), {
          body: { ...Object.fromEntries(required), [field]: value },
        });
    }
  }
}, 60_000);

const TRICKS = [
  { path: '//{host}/led' },
  { path: '/http://{host}/led' },
  { path: '/@{host}/led' },
  { path: '/%5c%5c{host}/led' },
  { path: '/..;/{host}/led' },
  { path: '/led?url=http://{host}&host={host}&access_token=a' },
  { path: '/led', headers: { host: '{host}' } },
  { path: '/led', headers: { 'x-forwarded-host': '{host}', 'x-original-url': 'http://{host}/led' } },
  { path: '/led', headers: { forwarded: 'host={host}', 'x-rewrite-url': 'http://{host}/led' } },
  {
    path: '/led',
    headers: { location: 'http://{host}/', referer: 'http://{host}/', 'x-base-url': 'http://{host}' },
  },
];

test.each(TRICKS)(
  'D3: no proxied request sends a secret to another origin: $path $headers',
  async ({ path, headers = {} }) => {
    const { host: name } = new URL(host.origin);
    const fill = (text: string) => text.replaceAll('{host}', name);
    const { accessToken } = await signIn(service);
    const given = Object.entries(headers).map(([header, value]) => [header, fill(value)]);
    for (const connection of NAMES) {
      await new Promise((resolve, reject) => {
        const options = {
          path: fill(`/v1/proxy/${connection}/${USER}${path}`),
          headers: { ...Object.fromEntries(given), authorization: `Bearer ${accessToken}` },
        };
        httpRequest(service.url, options, (reply) => reply.resume().on('end', resolve))
          .on('error', reject)
          .end();
      });
    }
  },
);

test('D3: stored secrets still go to their original origin', async () => {
  for (const name of NAMES) expect({ name, isSent: (await use(name)) < 500 }).toEqual({ name, isSent: true });
  expect(await use('workspace')).toBe(200);
});

test.each(NAMES)(
  'D3, O15: no new or emptied connection with the same name (%s) sends an old secret elsewhere',
  async (name) => {
    expect((await call('DELETE', accountOf(name))).status).toBe(204);
    const hasOwnClient = name === 'workspace';
    const diverted = {
      baseUrl: `${host.origin}/led`,
      ...(hasOwnClient && { tokenEndpoint: `${host.origin}/token` }),
    };
    // Hosts cannot change without a new client secret, because the stored secret would be sent to the new host.
    if (hasOwnClient) expect((await call('PATCH', one(name), { body: diverted })).status).toBe(409);
    const mine = hasOwnClient || name === 'notesmcp' ? { clientSecret: 'mine-secret' } : {};
    expect((await call('PATCH', one(name), { body: { ...diverted, ...mine } })).status).toBe(200);
    await use(name);
    expect((await call('DELETE', one(name))).status).toBe(204);
    const again = {
      connectionName: name,
      connector: name,
      ...diverted,
      ...(hasOwnClient && { clientId: 'mine-client' }),
    };
    expect((await call('POST', '/v1/connections', { body: again })).status).toBe(201);
    await call('PUT', accountOf(name));
    await use(name);
    const own = { network: { apiKey: 'mine-key' }, convintel: { bearerToken: 'mine-key' } }[String(name)];
    if (own) {
      const before = host.count();
      await call('PUT', accountOf(name), { body: own });
      await use(name);
      expect(host.count()).toBeGreaterThan(before);
    }
  },
);

import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../support/processes/new-folder.js';
import { newSettings, type ServiceProcess, startProcess } from '../support/processes/service-process.js';
import type { AtOnce } from '../support/requests/send-at-once.js';
import { type Application, fetchReply, signIn } from '../support/service/application.js';
import { signInOperator } from '../support/service/operator.js';
import { API_KEY, parcels, startParcelService, writeFiles } from '../support/upstreams/parcels.js';

const SLOW = { timeout: 180_000 };
const BODIES = 60;
const MOST_MS = 250;
const MIB = 1024 * 1024;
const PASSWORD = 'hush-hush-hush';

const keys = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join();
const MANY_KEYS = `{${keys(90_000)}}`;

interface Started {
  readonly service: ServiceProcess;
  readonly application: Application;
}

/** Sends a request many times at once, and measures how long other requests wait meanwhile. */
async function attack(service: ServiceProcess, { url, init }: Omit<AtOnce, 'count'>) {
  const workerData: AtOnce = { url, init, count: BODIES };
  const sender = new Worker(new URL('../support/requests/send-at-once.ts', import.meta.url), { workerData });
  let statuses: readonly number[] | undefined;
  sender.once('message', (all) => {
    statuses = all;
  });
  const waits: number[] = [];
  while (statuses === undefined) {
    const began = performance.now();
    expect((await fetchReply(`${service.url}/healthz`)).status).toBe(200);
    waits.push(performance.now() - began);
  }
  return { statuses, longest: Math.max(...waits) };
}

const CONTENTS = {
  'ninety thousand keys': MANY_KEYS,
  'as many keys and values as are allowed': `{${keys(4990)},"values":[${Array(44_000).fill(1)}]}`,
  'one long text': JSON.stringify('x'.repeat(MIB - 200)),
  'many escapes': JSON.stringify('"\\\n'.repeat(150_000)),
};

const jsonRequest = (url: string, token: string, body: string) => ({
  url,
  init: {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body,
  },
});

test.each(Object.entries(CONTENTS))(
  `F5: ${BODIES} simultaneous bodies with %s do not delay other requests`,
  SLOW,
  async (_, content) => {
    const service = await startProcess(await newSettings());
    onTestFinished(service.kill);
    const { accessToken, call } = await signIn(service);
    const body = { connectionName: 'calendar', connector: 'calendar' };
    await call('POST', '/v1/connections', { body });
    const url = `${service.url}/v1/tools/calendar_list_events/execute`;
    const text = `{"connectionName":"calendar","identifier":"ada","toolInput":{"x":${content}}}`;
    const { statuses, longest } = await attack(service, jsonRequest(url, accessToken, text));
    for (const status of statuses) expect([400, 404, 409, 413, 503]).toContain(status);
    expect(longest).toBeLessThan(MOST_MS);
  },
);

async function startWithWebhook() {
  const upstream = await startParcelService();
  onTestFinished(upstream.stop);
  const flags = [
    '--catalog',
    writeFiles(newFolder(), parcels),
    '--allowed-origins',
    `parcels=${upstream.url},webhooks=http://127.0.0.1:9`,
  ];
  const settings = await newSettings({ flags, env: { SVC_FIRST_OPERATOR_PASSWORD: PASSWORD } });
  const service = await startProcess(settings);
  onTestFinished(service.kill);
  const application = await signIn(service);
  const { call } = application;
  await call('POST', '/v1/connections', {
    body: { connectionName: 'parcels', connector: 'parcels', baseUrl: upstream.url },
  });
  await call('PUT', '/v1/connections/parcels/accounts/ada', { body: { apiKey: API_KEY } });
  return { service, application, hooks: upstream.hooks };
}

interface EntryPoint {
  readonly title: string;
  /** Possible statuses of the responses. Default: those of a body that is refused. */
  readonly statuses?: readonly number[];
  /** Returns the request of the attack. */
  readonly request: (
    started: Started & { readonly hooks: ReadonlyMap<string, string> },
  ) => Promise<Omit<AtOnce, 'count'>>;
}

const agentToken = async ({ call }: Application) =>
  (await call('POST', '/v1/agent-tokens', { body: { identifier: 'ada', expiresIn: 600 } })).json<{
    token: string;
  }>().token;

/**
 * Calls /mcp without the headers of a plain request. The first such request of a process loads the MCP library, which
 * takes about 160 ms and is no part of an attack. Returns the token of the call.
 */
async function loadMcpLibrary({ url }: ServiceProcess, application: Application) {
  const token = await agentToken(application);
  const request = jsonRequest(`${url}/mcp`, token, '{"jsonrpc":"2.0","id":1,"method":"ping"}');
  expect((await fetchReply(request.url, request.init)).status).toBe(200);
  return token;
}

const ENTRY_POINTS: readonly EntryPoint[] = [
  {
    title: 'the settings of a connection',
    request: async ({ service, application }) =>
      jsonRequest(
        `${service.url}/v1/connections`,
        application.accessToken,
        `{"connectionName":"own","connector":"calendar","settings":${MANY_KEYS}}`,
      ),
  },
  {
    title: 'the limits of a token',
    request: async ({ service, application }) =>
      jsonRequest(
        `${service.url}/v1/agent-tokens`,
        application.accessToken,
        `{"identifier":"ada","expiresIn":600,"arguments":${MANY_KEYS}}`,
      ),
  },
  {
    title: 'a tool call at /mcp',
    request: async ({ service, application }) =>
      jsonRequest(
        `${service.url}/mcp`,
        await agentToken(application),
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"parcels_list","arguments":${MANY_KEYS}}}`,
      ),
  },
  {
    title: 'the arguments of call_tool as a text at /mcp',
    request: async ({ service, application }) =>
      jsonRequest(
        `${service.url}/mcp`,
        await loadMcpLibrary(service, application),
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"call_tool","arguments":{"name":"parcels_list","arguments":${JSON.stringify(`{${keys(70_000)}}`)}}}}`,
      ),
  },
  {
    title: 'an application at /operator/v1',
    request: async ({ service }) => {
      const operator = await signInOperator({ url: service.url, name: 'admin', password: PASSWORD });
      const { url, init } = jsonRequest(
        `${service.url}/operator/v1/applications`,
        '',
        `{"name":"own","x":${MANY_KEYS}}`,
      );
      const { authorization: _, ...headers } = init.headers;
      return {
        url,
        init: {
          ...init,
          headers: {
            ...headers,
            cookie: operator.cookie,
            origin: service.url,
            'svc-csrf': operator.csrfToken,
          },
        },
      };
    },
  },
  {
    title: 'the form of a connect page',
    request: async ({ service, application }) => {
      const path = '/v1/connections/parcels/accounts/grace/authorization-link';
      const { link } = (await application.call('POST', path)).json<{ link: string }>();
      const body = Array.from({ length: 90_000 }, (_, index) => `k${index}=1`).join('&');
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: service.url };
      return { url: link, init: { method: 'POST', headers, body } };
    },
  },
  {
    title: 'the address of an upstream for webhooks',
    // Payloads of upstreams have no limit of keys, because the upstream cannot correct them.
    statuses: [204, 429, 503],
    request: async ({ application, hooks }) => {
      const path = '/v1/connections/parcels/accounts/ada/webhooks';
      expect((await application.call('POST', path, { body: { trigger: 'parcel_sent' } })).status).toBe(201);
      return jsonRequest(`${[...hooks.values()].at(-1)}`, '', `{"parcel":{${keys(24_000)}}}`);
    },
  },
];

test.each(ENTRY_POINTS)(
  `F5: ${BODIES} simultaneous bodies with many keys to $title do not delay other requests`,
  SLOW,
  async ({ request, statuses: possible = [200, 400, 413, 429, 503] }) => {
    const started = await startWithWebhook();
    const { statuses, longest } = await attack(started.service, await request(started));
    for (const status of statuses) expect(possible).toContain(status);
    expect(longest).toBeLessThan(MOST_MS);
  },
);

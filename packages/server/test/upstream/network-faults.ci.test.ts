import { approve, type Sandbox, startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ERROR_STATUS } from '../../src/errors.js';
import { rounds } from '../support/runner/rounds.js';
import { listForSandbox } from '../support/service/allowed-origins.js';
import { type Application, fetchReply, type Reply, signIn } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';
import { FAULTS, type Fault, type FaultyProxy, startFaultyProxy } from '../support/upstreams/faulty-proxy.js';

// Upstream timeouts in ms, instead of 30 s, because a tool call makes up to 3 attempts within the 30 s of the test. A
// busy machine needs more than 1 s for a call that works.
const QUIET_MS = 3000;
vi.mock(import('../../src/http/agent.js'), async (original) => {
  const actual = await original();
  return {
    ...actual,
    createAgent: (options) =>
      actual.createAgent({ ...options, headersTimeoutMs: QUIET_MS, idleTimeoutMs: QUIET_MS }),
  };
});

const ALL = Object.keys(FAULTS) as Fault[];
const ROUNDS = Array.from({ length: rounds(20) }, (_, round) => round);
const DEADLINE_MS = 30_000;
const PASSES: readonly Fault[] = ['latency', 'little bandwidth'];

let sandbox: Sandbox;
let service: Service;
let application: Application;
const proxies = new Map<Fault, FaultyProxy>();
const proxyOf = (fault: Fault): FaultyProxy => {
  const proxy = proxies.get(fault);
  if (proxy === undefined) throw new Error(`There is no proxy for ${fault}.`);
  return proxy;
};

const nameOf = (connector: string, fault: Fault, round: number) =>
  `${connector}-${fault.replaceAll(' ', '-')}-${round}`;

/**
 * Creates a connection that reaches its upstream (`convintel`) or its token endpoint (`calendar`) through the faulty
 * proxy.
 */
async function connect(connector: 'convintel' | 'calendar', fault: Fault, round: number): Promise<string> {
  const connectionName = nameOf(connector, fault, round);
  const { baseUrl, ...endpoints } = sandbox.upstream(connector);
  const through = (url: string | undefined) => url?.replace(sandbox.url, proxyOf(fault).origin);
  const { call } = application;
  if (connector === 'convintel') {
    await call('POST', '/v1/connections', {
      body: { connectionName, connector, baseUrl: through(baseUrl) },
    });
    const body = { bearerToken: 'sandbox-convintel' };
    return idOf(await call('PUT', `/v1/connections/${connectionName}/accounts/ada`, { body }));
  }
  const { authorizationEndpoint, tokenEndpoint } = endpoints;
  const created = await call('POST', '/v1/connections', {
    body: {
      connectionName,
      connector,
      baseUrl,
      authorizationEndpoint,
      tokenEndpoint: through(tokenEndpoint),
    },
  });
  const { redirectUri } = created.json<{ redirectUri: string }>();
  const client = await sandbox.registerClient(connector, { redirectUris: [redirectUri] });
  await call('PATCH', `/v1/connections/${connectionName}`, { body: client });
  const { link } = await service.svc.getAuthorizationLink({ connectionName, identifier: 'ada' });
  expect(await approve(link, { user: 'ada' })).toMatchObject({ status: 200 });
  return idOf(await call('GET', `/v1/connections/${connectionName}/accounts/ada`));
}

const idOf = (reply: Reply): string => reply.json<{ id: string }>().id;
const accounts = new Map<string, string>();

beforeAll(async () => {
  sandbox = await startSandbox({ connectors: ['convintel', 'calendar'] });
  for (const fault of ALL) proxies.set(fault, await startFaultyProxy(sandbox.url));
  const origins = [...proxies.values()].map(({ origin }) => origin);
  service = await startService({
    sandbox,
    flags: ['--allowed-origins', listForSandbox(sandbox, origins)],
  });
  application = await signIn(service);
  for (const fault of ALL) {
    for (const round of ROUNDS) {
      for (const connector of ['convintel', 'calendar'] as const)
        accounts.set(nameOf(connector, fault, round), await connect(connector, fault, round));
    }
  }
}, 600_000);
afterAll(async () => {
  for (const { stop } of proxies.values()) stop();
  await service.stop();
});

type Send = (fault: Fault, round: number, through: string) => Promise<Reply>;

const fetchFrom = (url: string, init: RequestInit = {}) =>
  fetchReply(url, {
    ...init,
    headers: { authorization: `Bearer ${application.accessToken}`, ...init.headers },
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
const proxied = (through: string, name: string, path: string) => `${through}/v1/proxy/${name}/ada${path}`;

const OPERATIONS: Readonly<Record<string, Send>> = {
  'a proxied GET': (fault, round, through) =>
    fetchFrom(proxied(through, nameOf('convintel', fault, round), '/getUsers')),
  'a proxied upload': (fault, round, through) =>
    fetchFrom(proxied(through, nameOf('convintel', fault, round), '/uploadActivity'), {
      method: 'POST',
      body: new Uint8Array(300_000),
    }),
  'a tool call': (fault, round, through) =>
    fetchFrom(`${through}/v1/tools/convintel_users_list/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        connectedAccountId: accounts.get(nameOf('convintel', fault, round)),
        toolInput: {},
      }),
    }),
  'a token request': (fault, round, through) =>
    fetchFrom(proxied(through, nameOf('calendar', fault, round), '/calendar/v3/users/me/calendarList')),
};

/** Returns the outcome of a call: the upstream's response, an error of the service, or a broken response. */
async function endOf(call: Promise<Reply>): Promise<string> {
  try {
    const { status, headers } = await call;
    const code = headers.get('svc-error');
    if (code === null) return `upstream ${status}`;
    return Reflect.get(ERROR_STATUS, code) === status ? `documented ${code}` : `${status} ${code}`;
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'over the deadline' : 'broken off';
  }
}

interface End {
  readonly operation: string;
  readonly fault: Fault;
  readonly end: string;
}

/** Runs each operation with each fault concurrently, and returns the outcomes. */
async function runWithFaults(throughOf: (fault: Fault) => string): Promise<End[]> {
  const ends = Object.entries(OPERATIONS).flatMap(([operation, send]) =>
    ALL.flatMap((fault) =>
      ROUNDS.map(async (round) => ({
        operation,
        fault,
        end: await endOf(send(fault, round, throughOf(fault))),
      })),
    ),
  );
  return Promise.all(ends);
}

const countConnections = (): Promise<number> =>
  new Promise((resolve) => service.app.server.server.getConnections((_error, count) => resolve(count)));

// The uploaded file is not valid audio, so its upstream responds with a 4xx status.
const isResponse = ({ operation, end }: End): boolean =>
  operation === 'a proxied upload' ? /^upstream 4\d\d$/.test(end) : end === 'upstream 200';
// Streamed responses may break off instead of failing with an error, because their status line is already sent.
const FAILURE = /^documented (connection_failed|upstream_timeout|unavailable|upstream_failed)$|^broken off$/;

describe('F7: a call over a faulty network', () => {
  test('ends in time with a documented error when the network to the upstream fails', async () => {
    await sandbox.expireTokens('calendar');
    for (const [fault, { spoil }] of proxies) spoil(fault);
    const ends = await runWithFaults(() => service.url);
    const wrong = ends.filter(
      (end) => !(PASSES.includes(end.fault) ? isResponse(end) : FAILURE.test(end.end)),
    );
    expect(wrong).toEqual([]);
    expect(ends).toHaveLength(ALL.length * 4 * ROUNDS.length);
    const broken = ends.filter(({ operation, end }) => end === 'broken off' && !/proxied/.test(operation));
    expect(broken).toEqual([]);
  }, 300_000);

  test('works again as soon as the network works', async () => {
    for (const { spoil } of proxies.values()) spoil(undefined);
    const ends = await runWithFaults(() => service.url);
    // Token requests may still fail, because an upstream may have consumed the refresh token while its response was
    // lost.
    const isExcused = ({ operation, end }: End) =>
      operation === 'a token request' && /unavailable|account_not_authorized/.test(end);
    const wrong = ends.filter((end) => !isResponse(end) && !isExcused(end));
    expect(wrong).toEqual([]);
  }, 300_000);

  test('ends in time and leaves no connection open when the network to the caller fails', async () => {
    const before = await countConnections();
    const between = new Map<Fault, FaultyProxy>();
    for (const fault of ALL) {
      const proxy = await startFaultyProxy(service.url.replace('localhost', '127.0.0.1'));
      proxy.spoil(fault);
      between.set(fault, proxy);
    }
    const hung = setTimeout(() => {
      for (const [fault, { stop }] of between) if (!PASSES.includes(fault)) stop();
    }, QUIET_MS);
    const ends = await runWithFaults((fault) => between.get(fault)?.origin ?? '');
    clearTimeout(hung);
    for (const { stop } of between.values()) stop();
    const passed = ends.filter(({ fault }) => PASSES.includes(fault));
    expect(passed.filter(({ end }) => !/^(upstream|documented) /.test(end))).toEqual([]);
    expect(ends.filter(({ end }) => end === 'over the deadline')).toEqual([]);
    await vi.waitFor(async () => expect(await countConnections()).toBeLessThanOrEqual(before), 10_000);
    expect(await fetchReply(`${service.url}/readyz`)).toMatchObject({ status: 200 });
  }, 300_000);
});

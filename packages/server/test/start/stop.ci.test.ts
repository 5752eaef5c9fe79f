import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { command } from '../support/processes/command.js';
import { startGatedService } from '../support/processes/gated-service.js';
import { newPort } from '../support/processes/new-port.js';
import {
  newDataFolder,
  newSettings,
  type ServiceProcess,
  startProcess,
} from '../support/processes/service-process.js';
import { rounds } from '../support/runner/rounds.js';
import { type Application, fetchReply, signIn } from '../support/service/application.js';
import { signInOperator } from '../support/service/operator.js';
import { connectAccount } from '../support/service/service.js';

// Restarts on each database: 50 in full runs, so 100 in total. Quick runs restart each instance at least once.
const RESTARTS = rounds(50, 4);
const EVENTS = '/calendars/primary/events';

async function startWithCalendar() {
  const service = await startGatedService(['calendar']);
  onTestFinished(service.stop);
  const { id: accountId } = await connectAccount(service, 'calendar');
  return { service, accountId };
}

const callTool = ({ call }: Application, connectedAccountId: string) =>
  call('POST', '/v1/tools/calendar_list_events/execute', {
    body: { connectedAccountId, toolInput: { calendar_id: 'primary' } },
  });

const callProxy = ({ call }: Application) => call('GET', `/v1/proxy/calendar/user_42/calendar/v3${EVENTS}`);

async function callProxyPort({ call }: Application, _: string, port: number) {
  const body = { identifier: 'user_42', connections: ['calendar'] };
  const { token } = (await call('POST', '/v1/account-tokens', { body })).json<{ token: string }>();
  // The default proxy port is the service's port plus 2.
  return fetchReply(`http://127.0.0.1:${port + 2}/calendar/v3${EVENTS}`, {
    headers: { authorization: `Bearer ${token}` },
  });
}

/** Waits until the service no longer accepts connections. */
const isNotReady = (url: string) =>
  vi.waitFor(() => expect(fetchReply(`${url}/readyz`)).rejects.toThrow('fetch failed'), {
    timeout: 5000,
    interval: 10,
  });

test.each([
  { signal: 'SIGTERM', title: 'tool call', send: callTool },
  { signal: 'SIGINT', title: 'proxied request', send: callProxy },
  { signal: 'SIGTERM', title: 'request at the proxy port', send: callProxyPort },
] as const)(
  'F2: a running $title finishes on $signal, no new call starts, and the process exits with 0',
  async ({ signal, send }) => {
    const { service, accountId } = await startWithCalendar();
    const { paused, release } = service.gate.pause(EVENTS, 'response');
    const underWay = send(service.application, accountId, service.process().port);
    await paused;
    const silent = connect(service.process().port, '127.0.0.1');
    await once(silent, 'connect');
    service.process().signal(signal);
    // Waits until the service has closed its idle connections. The call in progress must survive that.
    await once(silent, 'close');
    await isNotReady(service.url);
    release();
    const { status, headers, text } = await underWay;
    expect(status).toBe(200);
    expect(headers.get('connection')).toBe('close');
    expect(text).toContain('calendar#event');
    expect(await service.process().ended).toMatchObject({ code: 0, stderr: '' });
  },
);

test('L2: a stop writes the audit events of refused sign-ins that were only counted', async () => {
  const service = await startProcess(await newSettings());
  onTestFinished(service.kill);
  for (let index = 0; index < 4; index += 1) {
    await expect(signInOperator({ ...service, name: 'admin', password: 'wrong' })).rejects.toThrow(/401/);
  }
  service.signal('SIGTERM');
  expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
  const { stdout } = await command({ env: { ...service.env, SVC_DATA: service.data } }, 'audit', 'export');
  const refused = stdout.split('\n').filter((line) => line.includes('operator.sign_in_refused'));
  expect(refused.map((line) => JSON.parse(line))).toMatchObject([
    { object: expect.stringMatching(/^op_/), address: '127.0.0.1', reason: 'wrong password' },
    { object: expect.stringMatching(/^op_/), address: '127.0.0.1', reason: 'wrong password, 3 more' },
  ]);
}, 60_000);

test('F2: the service is not ready after SIGTERM, and responds to further calls with connection: close', async () => {
  const service = await startProcess(await newSettings());
  onTestFinished(service.kill);
  const { call } = await signIn(service);
  expect((await call('GET', '/readyz')).headers.get('connection')).toBe('keep-alive');
  service.signal('SIGTERM');
  const stopping = await vi.waitFor(async () => {
    const reply = await call('GET', '/readyz');
    expect(reply.status).toBe(503);
    return reply;
  });
  const late = await call('GET', '/v1/connections');
  for (const { headers } of [stopping, late]) expect(headers.get('connection')).toBe('close');
  expect([stopping.json(), late.status]).toMatchObject([{ error: { code: 'unavailable' } }, 200]);
  expect(await service.ended).toMatchObject({ code: 0 });
});

/** Creates a load balancer that sends calls only to ready instances. */
function createBalancer(urls: readonly string[]) {
  const stopping = new Set<string>();
  const isReady = async (url: string) => {
    const reply = await fetchReply(`${url}/readyz`).catch(() => undefined);
    return reply?.status === 200 && reply.headers.get('connection') === 'keep-alive';
  };
  const choose = async (round: number): Promise<string> => {
    const url = urls[round % urls.length] ?? '';
    if (!stopping.has(url)) return url;
    await wait(20);
    if (await isReady(url)) stopping.delete(url);
    return choose(round + 1);
  };
  return { choose, leave: (url: string) => stopping.add(url) };
}

const isRefused = (error: unknown) =>
  error instanceof Error &&
  error.cause instanceof Error &&
  Reflect.get(error.cause, 'code') === 'ECONNREFUSED';

/** Creates accounts one after the other until `isOver`, and returns the identifiers that the service acknowledged. */
async function callRepeatedly(
  balancer: ReturnType<typeof createBalancer>,
  caller: Caller,
): Promise<string[]> {
  const { name, headers, isOver } = caller;
  const acknowledged: string[] = [];
  for (let round = 0; !isOver(); round += 1) {
    const url = await balancer.choose(round);
    const identifier = `${name}-${round}`;
    try {
      const path = `/v1/connections/calendar/accounts/${identifier}`;
      const reply = await fetchReply(url + path, { method: 'PUT', headers });
      expect([201, 429]).toContain(reply.status);
      if (reply.status === 201) acknowledged.push(identifier);
      if (reply.headers.get('connection') === 'close') balancer.leave(url);
    } catch (error) {
      // ECONNREFUSED means that the instance is down and received nothing. Any other error is a dropped call.
      if (!isRefused(error)) throw error;
      balancer.leave(url);
    }
    await wait(40);
  }
  return acknowledged;
}

interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isOver: () => boolean;
}

test(
  'F2: a rolling restart under load drops no call',
  async () => {
    const settings = await newSettings({ env: { SVC_ROOT_KEY: randomBytes(32).toString('base64') } });
    const count = settings.env?.['DATABASE_URL'] === undefined ? 1 : 2;
    const all: ServiceProcess[] = [];
    onTestFinished(async () => void (await Promise.all(all.map(({ kill }) => kill()))));
    for (let index = 0; index < count; index += 1) {
      const own = index === 0 ? {} : { port: await newPort(), data: newDataFolder() };
      all.push(await startProcess({ ...settings, ...own }));
    }
    const [first] = all;
    if (first === undefined) throw new Error('One was started.');
    const { call, accessToken } = await signIn(first);
    await call('POST', '/v1/connections', { body: { connectionName: 'calendar', connector: 'calendar' } });

    let isOver = false;
    const balancer = createBalancer(all.map(({ url }) => url));
    const headers = { authorization: `Bearer ${accessToken}` };
    const callers = ['a', 'b', 'c', 'd'].map((name) =>
      callRepeatedly(balancer, { name, headers, isOver: () => isOver }),
    );
    for (let round = 0; round < RESTARTS; round += 1) {
      const index = round % count;
      const stopped = all[index];
      stopped?.signal('SIGTERM');
      expect(await stopped?.ended).toMatchObject({ code: 0, stderr: '' });
      if (stopped) all[index] = await startProcess(stopped);
    }
    isOver = true;
    const acknowledged = (await Promise.all(callers)).flat();
    expect(acknowledged.length).toBeGreaterThan(RESTARTS);
    const owner = await signIn(first);
    for (const identifier of acknowledged) {
      const { status } = await owner.call('GET', `/v1/connections/calendar/accounts/${identifier}`);
      expect([identifier, status]).toEqual([identifier, 200]);
    }
  },
  rounds(3_600_000, 300_000),
);

test('F2: idle and silent connections do not delay the stop', async () => {
  const service = await startProcess(await newSettings());
  onTestFinished(service.kill);
  const open = async (text: string) => {
    const socket = connect(service.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  const silent = await open('');
  const halfway = await open('GET /healthz HT');
  const idle = await open('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(idle, 'data');
  service.signal('SIGTERM');
  await Promise.all([silent, halfway, idle].map((socket) => once(socket, 'close')));
  expect(await service.ended).toMatchObject({ code: 0 });
});

test('a service that npx started stops when the shell between npx and the service ends', async () => {
  const settings = await newSettings({ env: { npm_lifecycle_event: 'npx' } });
  const shell = await startProcess({ ...settings, through: ['sh', '-c', '"$@"; true', 'sh'] });
  shell.signal('SIGTERM');
  await isNotReady(shell.url);
  // The service holds the output of the shell open until it ends.
  await shell.ended;
});

import { readFileSync } from 'node:fs';
import { verifyWebhook } from '@svc/core/events';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver, status } from '../support/events/start-receiver.js';
import { type RunningProcess, runService } from '../support/processes/service-process.js';
import { type Application, signIn } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';

interface Line {
  readonly id: string;
  readonly type: string;
  readonly status?: number;
  readonly failure?: string;
  readonly retryInMs?: number;
}

let service: Service;
let owner: Application;
let receiver: Receiver;
const running: RunningProcess[] = [];

beforeAll(async () => {
  service = await startService({ connectors: [] });
  owner = await signIn(service);
  receiver = await startReceiver();
  for (const connectionName of ['calls', 'other'])
    await owner.call('POST', '/v1/connections', {
      body: { connectionName, connector: 'convintel', baseUrl: 'https://10.0.0.1' },
    });
});
afterEach(async () => {
  for (const each of running.splice(0)) {
    each.signal('SIGKILL');
    await each.ended;
  }
});
afterAll(async () => {
  await receiver.stop();
  await service.stop();
});

const credentials = () => ({
  SVC_ENVIRONMENT_URL: service.url,
  SVC_CLIENT_ID: service.clientId,
  SVC_CLIENT_SECRET: service.clientSecret,
});

function startListen(path: string, ...flags: readonly string[]): RunningProcess {
  const forwardTo = ['--forward-to', `${receiver.origin}${path}`];
  const started = runService({ flags: ['listen', ...forwardTo, ...flags], env: credentials() });
  running.push(started);
  return started;
}

async function listen(path: string, ...flags: readonly string[]): Promise<RunningProcess> {
  const started = startListen(path, ...flags);
  await started.printed(/Secret for verifyWebhook|"forwardTo"/);
  return started;
}

const secretIn = ({ stdout }: RunningProcess) => /whsec_[A-Za-z0-9+/=]+/.exec(stdout())?.[0] ?? '';
const linesOf = ({ stdout }: RunningProcess): readonly Line[] =>
  stdout()
    .split('\n')
    .filter((line) => line.includes('"type"'))
    .map((line) => JSON.parse(line));

const connect = (identifier: string, connectionName = 'calls') =>
  owner.call('PUT', `/v1/connections/${connectionName}/accounts/${identifier}`, {
    body: { bearerToken: 'sandbox-token', verify: false },
  });

const identifiersAt = (path: string) =>
  receiver.received(path).map(({ body }) => JSON.parse(body).data.identifier);

test('listen forwards an event that verifyWebhook accepts, within seconds, and prints its line', async () => {
  const process = await listen('/hook');
  const startedAt = performance.now();
  await connect('ada');
  await expect.poll(() => receiver.received('/hook').length).toBe(1);
  expect(performance.now() - startedAt).toBeLessThan(5000);
  const [{ body, headers, id }] = receiver.received('/hook') as [never];
  expect(await verifyWebhook(body, headers, secretIn(process))).toMatchObject({
    id,
    type: 'account.authorized',
    data: { identifier: 'ada' },
  });
  await process.printed(new RegExp(`^\\S+Z account\\.authorized ${id} 204 in \\d+ ms$`, 'm'));
  process.signal('SIGINT');
  const { code, stderr } = await process.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  // The lease of the event types outlives the command for a minute only, and no endpoint remains.
  expect((await owner.call('GET', '/v1/webhook-endpoints')).json()).toEqual({ items: [] });
});

test('listen begins after an event, and forwards only the requested types and the requested connection', async () => {
  await listen('/all');
  for (const identifier of ['bob', 'carla']) await connect(identifier);
  await connect('carla', 'other');
  await owner.call('DELETE', '/v1/connections/calls/accounts/carla');
  await expect.poll(() => receiver.received('/all').length).toBe(4);
  const [first] = receiver.received('/all');
  const flags = ['--after', first?.id ?? '', '--types', 'account.authorized', '--connection', 'calls'];
  await listen('/some', ...flags);
  await expect.poll(() => identifiersAt('/some')).toEqual(['carla']);
  await connect('dora');
  await expect.poll(() => identifiersAt('/some')).toEqual(['carla', 'dora']);
});

test('listen repeats an event whose receiver fails, and then goes on with the next event', async () => {
  const failures = [500, 500];
  receiver.answer('/failing', (response) => void response.writeHead(failures.pop() ?? 200).end());
  const process = await listen('/failing', '--json');
  for (const identifier of ['emil', 'fred']) await connect(identifier);
  await expect.poll(() => identifiersAt('/failing')).toEqual(['emil', 'emil', 'emil', 'fred']);
  await expect.poll(() => linesOf(process).length).toBe(4);
  const ids = receiver.received('/failing').map(({ id }) => id);
  expect(linesOf(process).map(({ id }) => id)).toEqual(ids);
  expect(new Set(ids).size).toBe(2);
  expect(linesOf(process).map(({ status: code, retryInMs }) => [code, retryInMs])).toEqual([
    [500, 1000],
    [500, 2000],
    [200, undefined],
    [200, undefined],
  ]);
});

test('listen gives an event up after five failed attempts', async () => {
  receiver.answer('/broken', status(400));
  const process = await listen('/broken', '--json');
  await connect('gina');
  await expect.poll(() => linesOf(process).length, { timeout: 40_000 }).toBe(5);
  expect(linesOf(process).map(({ retryInMs }) => retryInMs)).toEqual([1000, 2000, 4000, 8000, undefined]);
});

test('listen loses no event while the receiver is down, and reports the outage once', async () => {
  const down = await startReceiver();
  await down.stop();
  const process = runService({
    flags: ['listen', '--forward-to', `${down.origin}/hook`],
    env: { ...credentials(), SVC_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}` },
  });
  running.push(process);
  await process.printed(/Secret for verifyWebhook: whsec_A{32}\n/);
  for (const identifier of ['hans', 'ina']) await connect(identifier);
  await expect.poll(process.stderr).toContain('accepts no connection');
  const up = await startReceiver({ port: Number(new URL(down.origin).port) });
  await expect.poll(() => up.received('/hook').length).toBe(2);
  expect(up.received('/hook').map(({ body }) => JSON.parse(body).data.identifier)).toEqual(['hans', 'ina']);
  process.signal('SIGTERM');
  const { code, stderr } = await process.ended;
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `${down.origin}/hook accepts no connection. Start your receiver, or restart this command with the right port in --forward-to. Events wait until the receiver accepts connections.\n`,
  });
  await up.stop();
});

test('the command of the guide forwards the events of the service', async () => {
  const guide = readFileSync(new URL('../../../docs/guides/webhooks.md', import.meta.url), 'utf8');
  const [, command = ''] = /^npx @svc\/server (listen .*)$/m.exec(guide) ?? [];
  const flags = command.replace('http://localhost:3000/hook', `${receiver.origin}/guide`).split(' ');
  const process = runService({ flags, env: credentials() });
  running.push(process);
  await process.printed(/Secret for verifyWebhook/);
  await connect('jan');
  await expect.poll(() => identifiersAt('/guide')).toEqual(['jan']);
});

test('the secret of listen is the same in each run', async () => {
  const [first, second] = [await listen('/one'), await listen('/two')];
  expect(secretIn(first)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(secretIn(second)).toBe(secretIn(first));
});

test('listen waits for a service that does not run yet', async () => {
  const process = runService({
    flags: ['listen', '--forward-to', `${receiver.origin}/hook`],
    env: { ...credentials(), SVC_ENVIRONMENT_URL: 'http://localhost:1' },
  });
  running.push(process);
  await expect.poll(process.stderr).toContain('does not respond');
  process.signal('SIGINT');
  expect(await process.ended).toEqual({
    code: 0,
    stdout: '',
    stderr:
      'http://localhost:1 does not respond (refused). Start the service, or restart this command with the right SVC_ENVIRONMENT_URL. The command retries meanwhile.\n',
  });
});

test.each([
  {
    title: 'without --forward-to',
    flags: [],
    code: 2,
    says: /^The option --forward-to is missing\. .* --forward-to URL /,
  },
  {
    title: 'with a wrong URL',
    flags: ['--forward-to', 'localhost:3000'],
    code: 2,
    says: /^--forward-to is not an http or https URL, or has a user name, password or fragment\. Set it to a URL such as http:\/\/localhost:3000\/hook\.\n$/,
  },
  {
    title: 'without credentials',
    flags: ['--forward-to', 'http://localhost:3000'],
    env: { SVC_CLIENT_SECRET: '' },
    code: 2,
    says: /^SVC_CLIENT_ID or SVC_CLIENT_SECRET is not set\. Set both to the values of your application\.\n$/,
  },
  {
    title: 'with a wrong client secret',
    flags: ['--forward-to', 'http://localhost:3000'],
    env: { SVC_CLIENT_SECRET: 'wrong' },
    code: 1,
    says: /^The client id or the client secret is wrong, .+\n$/,
  },
  {
    title: 'with an unusable signing secret',
    flags: ['--forward-to', 'http://localhost:3000'],
    env: { SVC_WEBHOOK_SECRET: 'hush' },
    code: 2,
    says: /^SVC_WEBHOOK_SECRET is not a signing secret\. Set it to whsec_ .+\n$/,
  },
  {
    title: 'with an unknown type',
    flags: ['--forward-to', 'http://localhost:3000', '--types', 'account.gone'],
    code: 1,
    says: /^"types" contains "account\.gone", which is not an event type\. .+\n$/,
  },
  {
    title: 'with an unknown event',
    flags: ['--forward-to', 'http://localhost:3000', '--after', 'evt_unknown'],
    code: 1,
    says: /^The event "evt_unknown" does not exist .+\n$/,
  },
])('listen $title prints one sentence and ends', async ({ flags, env = {}, code, says }) => {
  const ended = await runService({ flags: ['listen', ...flags], env: { ...credentials(), ...env } }).ended;
  expect(ended).toEqual({ code, stdout: '', stderr: expect.stringMatching(says) });
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Application, fetchReply } from './application.js';
import { command } from './command.js';
import { startGatedService } from './gated-service.js';
import { signInOperator } from './operator.js';
import { connectAccount } from './service.js';
import { newSettings, startProcess } from './service-process.js';

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

/** Waits until the service has begun to stop. */
const isNotReady = (url: string) =>
  vi.waitFor(() => expect(fetchReply(`${url}/readyz`)).rejects.toThrow('fetch failed'), {
    timeout: 5000,
    interval: 10,
  });

test.each([
  { signal: 'SIGTERM', title: 'tool call', send: callTool },
  { signal: 'SIGINT', title: 'proxied request', send: callProxy },
] as const)(
  'on $signal a $title under way finishes, no new one begins, and the process ends with 0',
  async ({ signal, send }) => {
    const { service, accountId } = await startWithCalendar();
    const { reached, release } = service.gate.hold(EVENTS, 'answer');
    const underWay = send(service.application, accountId);
    await reached;
    service.process().signal(signal);
    await isNotReady(service.url);
    release();
    const { status, headers, text } = await underWay;
    expect(status).toBe(200);
    expect(headers.get('connection')).toBe('close');
    expect(text).toContain('calendar#event');
    expect(await service.process().ended).toMatchObject({ code: 0, stderr: '' });
  },
  20_000,
);

test('L2: refused sign-ins of operators that were only counted are in the audit log when the process has stopped', async () => {
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
}, 20_000);

test('a caller who says nothing, or keeps a connection for later, does not hold up the end', async () => {
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
  const answered = await open('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(answered, 'data');
  service.signal('SIGTERM');
  await Promise.all([silent, halfway, answered].map((socket) => once(socket, 'close')));
  expect(await service.ended).toMatchObject({ code: 0 });
}, 20_000);

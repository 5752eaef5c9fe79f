import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { newSettings, type ServiceProcess, startProcess } from '../support/processes/service-process.js';
import { signIn } from '../support/service/application.js';

const CALLERS = 100;
/**
 * Longest pause between two calls in ms. Each caller calls several times in the second in which the service sends
 * `connection: close`.
 */
const PAUSE_MS = 200;
const LOAD_MS = 1000;

type End = 'closed in order' | 'refused' | 'lost';

interface Caller {
  readonly service: ServiceProcess;
  readonly request: string;
  /** Returns the delay in ms before the next call. */
  readonly pause: () => number;
}

const codeOf = (error: Error): unknown => Reflect.get(error, 'code');

/** Repeats a call on a connection until the service closes it. A call is lost if it was sent without a response. */
function callRepeatedly({ service, request, pause }: Caller): Promise<End> {
  return new Promise((resolve) => {
    const socket = connect(service.port, '127.0.0.1');
    let isWaiting = true;
    const send = () => {
      isWaiting = true;
      socket.write(request);
    };
    socket.once('connect', send);
    socket.on('error', (error) => resolve(codeOf(error) === 'ECONNREFUSED' ? 'refused' : 'lost'));
    socket.on('end', () => resolve(isWaiting ? 'lost' : 'closed in order'));
    socket.on('data', (chunk) => {
      isWaiting = false;
      if (!/^connection: close\r$/im.test(chunk.toString('latin1'))) return void setTimeout(send, pause());
      socket.end();
      resolve('closed in order');
    });
  });
}

/** Reconnects after each `connection: close`, until the service refuses connections. */
async function connectRepeatedly(caller: Caller): Promise<End> {
  const end = await callRepeatedly(caller);
  if (end !== 'closed in order') return end;
  await wait(caller.pause());
  return connectRepeatedly(caller);
}

test('F2: a stop under load loses no call, whether callers obey connection: close or reconnect', async () => {
  const service = await startProcess(await newSettings());
  onTestFinished(service.kill);
  const { accessToken } = await signIn(service);
  const request = `GET /v1/connections HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${accessToken}\r\n\r\n`;
  const callers = (call: (caller: Caller) => Promise<End>) =>
    Array.from({ length: CALLERS }, (_, index) =>
      call({ service, request, pause: () => (index * PAUSE_MS) / CALLERS }),
    );
  const [leaving, coming] = [callers(callRepeatedly), callers(connectRepeatedly)];
  await wait(LOAD_MS);
  service.signal('SIGTERM');
  const ends = await Promise.all(leaving);
  expect(ends.filter((end) => end !== 'closed in order')).toEqual([]);
  // Some calls may be lost, because the kernel accepts connections that the service never sees. Without a graceful
  // stop, most are lost.
  const lost = (await Promise.all(coming)).filter((end) => end === 'lost');
  expect(lost.length).toBeLessThanOrEqual(CALLERS / 10);
  expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
}, 60_000);

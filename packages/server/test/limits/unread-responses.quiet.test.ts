import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { residentBytes } from '../support/processes/resident-bytes.js';
import { newSettings, startProcess } from '../support/processes/service-process.js';
import { rounds } from '../support/runner/rounds.js';
import { fetchReply } from '../support/service/application.js';

const CALLERS = rounds(400, 100);
const MIB = 1024 * 1024;
const MOST_GROWTH = CALLERS * 0.5 * MIB + 64 * MIB;

const keys = (bytes: number) => {
  const all = Array.from({ length: Math.floor(bytes / 10) - 1 }, (_, index) => `"${1e5 + index}":1`);
  return `{${all.join()}}`;
};

function signIn(body: string): string {
  const type = 'content-type: application/json';
  const head = [
    'POST /operator/v1/session HTTP/1.1',
    'host: localhost',
    type,
    `content-length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

// Attacks: one sign-in with a 1 MiB body, and 20 pipelined sign-ins. The first once made 400 callers use 4.7 GB.
const ATTACKS = [signIn(keys(MIB)), signIn(keys(4096)).repeat(20)].map((sent) => Buffer.from(sent));

/** Sends requests and never reads the responses. */
function send(port: number, sent: Buffer): Promise<unknown> {
  const socket = connect(port, '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.once('close', resolve);
    socket.write(sent, resolve);
  });
}

test('F5: callers that read no response use little memory and do not block others', async () => {
  const service = await startProcess(await newSettings());
  onTestFinished(service.kill);
  const before = residentBytes(service.pid);
  for (const sent of ATTACKS) {
    await Promise.all(Array.from({ length: CALLERS }, () => send(service.port, sent)));
    expect(await fetchReply(`${service.url}/readyz`)).toMatchObject({ status: 200 });
    expect(residentBytes(service.pid) - before).toBeLessThan(MOST_GROWTH);
  }
  expect(residentBytes(service.pid)).toBeLessThan(400 * MIB);
}, 120_000);

import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command } from '../../support/processes/command.js';
import { residentBytes } from '../../support/processes/resident-bytes.js';
import { newSettings, type ServiceProcess, startProcess } from '../../support/processes/service-process.js';
import { rounds } from '../../support/runner/rounds.js';
import { type Application, signIn } from '../../support/service/application.js';

const MIB = 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, 'x');
const SIZE = rounds(250, 192) * MIB;
// Node.js frees the buffers of received bytes only after it has allocated about 64 MiB of them.
const MOST_MIB = 128;
const TOKENS = JSON.stringify({ access_token: 'token-of-ada', token_type: 'Bearer', expires_in: 3600 });

let stored = 0;
let service: ServiceProcess;
let application: Application;
let origin = '';

/** Responds as the upstream: with tokens, with an upload session, or with the state of the upload. */
async function respond(request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const range = String(request.headers['content-range']);
  let received = 0;
  for await (const piece of request) received += piece.length;
  reply.setHeader('content-type', 'application/json');
  if (request.url === '/token') return void reply.end(TOKENS);
  if (request.method === 'POST') return void reply.setHeader('location', '/?upload_id=1').end('{}');
  stored += received;
  if (range.endsWith(`-${stored - 1}/${stored}`)) reply.end('{"kind":"youtube#video","id":"v1"}');
  else reply.writeHead(308, { range: `bytes=0-${stored - 1}` }).end();
}

/** Upstream, and host of files: the path of a file is its size in bytes. */
const server = createServer((request, reply) => {
  if (request.method !== 'GET') return void respond(request, reply);
  const size = Number(request.url?.slice(1));
  const pieces = Readable.from(Array.from({ length: size / PIECE.length }, () => PIECE));
  pieces.pipe(reply.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = await newSettings({ flags: ['--allowed-origins', `video=${origin},links=${origin}`] });
  service = await startProcess(settings);
  application = await signIn(service);
  const setup = { env: { ...settings.env, SVC_DATA: settings.data } };
  await command(setup, 'apps', 'change', service.clientId, '--allow-token-import');
  const client = { clientId: 'c', clientSecret: 's', tokenEndpoint: `${origin}/token` };
  const body = { connectionName: 'own', connector: 'video', baseUrl: origin, ...client };
  await application.call('POST', '/v1/connections', { body });
  const tokens = { accessToken: 'token-of-ada', refreshToken: 'renews-the-token' };
  await application.call('PUT', '/v1/connections/own/accounts/ada', { body: tokens });
}, 120_000);

afterAll(async () => {
  await service.kill();
  server.closeAllConnections();
  server.close();
});

async function upload(size: number): Promise<void> {
  stored = 0;
  const toolInput = { title: 'Long', content_url: `${origin}/${size}` };
  const body = { connectionName: 'own', identifier: 'ada', toolInput };
  const reply = await application.call('POST', '/v1/tools/video_videos_insert/execute', { body });
  expect(reply.json()).toMatchObject({ data: { id: 'v1' } });
  expect(stored).toBe(size);
}

test('the memory of the service does not grow with the size of a linked video', {
  timeout: 300_000,
}, async () => {
  await upload(9 * MIB);
  // 5 in `clear_refs` resets VmHWM, the peak of the resident memory (see man 5 proc).
  writeFileSync(`/proc/${service.pid}/clear_refs`, '5');
  const before = residentBytes(service.pid);
  await upload(SIZE);
  const grown = (residentBytes(service.pid, 'VmHWM') - before) / MIB;
  process.stderr.write(`${SIZE / MIB} MiB by link: the memory grew by ${grown.toFixed(1)} MiB\n`);
  expect(grown).toBeLessThan(MOST_MIB);
});

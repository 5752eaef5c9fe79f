import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { residentBytes } from '../support/processes/resident-bytes.js';
import { newSettings, type ServiceProcess, startProcess } from '../support/processes/service-process.js';
import { rounds } from '../support/runner/rounds.js';
import { signIn } from '../support/service/application.js';

const MIB = 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, 'x');
const SLOW = { timeout: 600_000 };

let service: ServiceProcess;
let authorization = '';

/** Number of chunks that the HTTP client has read from the generated request bodies. */
let generated = 0;

const bytes = (size: number) =>
  Readable.from(
    (function* () {
      for (let sent = 0; sent < size; sent += CHUNK.length) {
        generated += 1;
        yield CHUNK;
      }
    })(),
  );

async function count(source: Readable): Promise<number> {
  let size = 0;
  for await (const chunk of source) size += chunk.length;
  return size;
}

/** Upstream. GET returns as many MiB as the path says. Other methods return the number of received bytes. */
const upstream = createServer(async (request, reply) => {
  const size = Number(request.url?.split('/').at(-1)) * MIB;
  if (request.method === 'GET') bytes(size).pipe(reply.setHeader('content-length', size));
  else reply.end(String(await count(request)));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const flags = ['--allowed-origins', `convintel=${origin}`];
  const unlimited = [
    '--rate-application',
    '1000000',
    '--rate-account',
    '1000000',
    '--rate-address',
    '1000000',
  ];
  service = await startProcess(await newSettings({ flags: [...flags, ...unlimited] }));
  const { call, accessToken } = await signIn(service);
  authorization = `Bearer ${accessToken}`;
  const body = { connectionName: 'own', connector: 'convintel', baseUrl: origin };
  await call('POST', '/v1/connections', { body });
  await call('PUT', '/v1/connections/own/accounts/ada', { body: { bearerToken: 'a-token' } });
}, 120_000);

afterAll(async () => {
  await service.kill();
  upstream.closeAllConnections();
  upstream.close();
});

function proxied(size: number, options: RequestOptions = {}, body?: Readable): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const path = `/v1/proxy/own/ada/v1/${size}`;
    const headers = { authorization, ...options.headers };
    const request = httpRequest(service.url + path, { ...options, headers }, resolve).on('error', reject);
    if (body) body.pipe(request);
    else request.end();
  });
}

/** Resets `VmHWM`, the peak of the service's resident memory. 5 in `clear_refs` resets it (see man 5 proc). */
const forgetPeak = () => writeFileSync(`/proc/${service.pid}/clear_refs`, '5');

async function growthIn(work: () => Promise<unknown>): Promise<number> {
  forgetPeak();
  const before = residentBytes(service.pid);
  await work();
  return (residentBytes(service.pid, 'VmHWM') - before) / MIB;
}

const download = async (size: number) => count(await proxied(size));
async function upload(size: number, headers: RequestOptions['headers']): Promise<number> {
  const reply = await proxied(0, { method: 'PUT', ...(headers && { headers }) }, bytes(size * MIB));
  return Number((await reply.toArray()).join(''));
}

const SIZE = rounds(250, 64);
const MOST_MIB = 64;

test.each([
  { title: 'as a download', transfer: () => download(SIZE) },
  { title: 'as an upload in chunks', transfer: () => upload(SIZE, undefined) },
  { title: 'as an upload of known length', transfer: () => upload(SIZE, { 'content-length': SIZE * MIB }) },
])(
  'P9: a body of 250 MiB streams $title, and memory grows by less than 64 MiB',
  SLOW,
  async ({ transfer }) => {
    await download(16);
    let size = 0;
    const growth = await growthIn(async () => {
      size = await transfer();
    });
    expect(size).toBe(SIZE * MIB);
    expect(growth).toBeLessThan(MOST_MIB);
  },
);

/** CPU time of the service's main thread in nanoseconds. Other work on the machine does not increase it. */
const worked = () => Number(readFileSync(`/proc/${service.pid}/schedstat`, 'utf8').split(' ')[0]);

async function batch(): Promise<number> {
  const before = worked();
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const reply = await proxied(0);
      await count(reply);
      return reply.statusCode;
    }),
  );
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  return worked() - before;
}

/** Returns the lowest CPU time of three batches, after a first batch that opens connections and warms up caches. */
async function measure(): Promise<number> {
  await batch();
  return Math.min(await batch(), await batch(), await batch());
}

/** Starts ten downloads that nobody reads, and waits until all buffers are full and the upstream stops sending. */
async function startSlowReaders(): Promise<readonly IncomingMessage[]> {
  const readers = await Promise.all(Array.from({ length: 10 }, () => proxied(64)));
  let before = -1;
  while (before !== generated) {
    before = generated;
    await wait(100);
  }
  return readers;
}

test('P9: 10 slow readers do not slow 100 others by more than a fifth', SLOW, async () => {
  // The minimum of a few rounds is off by up to a quarter, so all runs take 40.
  const least = { alone: Number.POSITIVE_INFINITY, withReaders: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 40; round += 1) {
    least.alone = Math.min(least.alone, await measure());
    const readers = await startSlowReaders();
    least.withReaders = Math.min(least.withReaders, await measure());
    for (const reader of readers) {
      expect(reader.complete).toBe(false);
      reader.destroy();
    }
  }
  expect(least.withReaders).toBeLessThan(1.2 * least.alone);
});

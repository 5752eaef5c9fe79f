/** HTTP server that receives the benchmark's webhooks. Runs in a separate process. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handleJobs } from './job-process.ts';

/** Job that the benchmark sends to the process that receives webhooks. */
export type ReceiverJob =
  | { readonly kind: 'listen' }
  /** Forgets the received requests. From then on, requests to `stuckPath` get no response and do not count. */
  | { readonly kind: 'reset'; readonly stuckPath?: string | undefined }
  /** Waits until `count` webhook requests have arrived since the last `reset` job. */
  | { readonly kind: 'wait'; readonly count: number };

export interface Received {
  readonly origin: string;
  /** Time at which the last webhook request arrived, in milliseconds since 1970. */
  readonly lastAt: number;
  /** Time in milliseconds from writing an event to the arrival of its webhook request, for each request. */
  readonly latencies: readonly number[];
}

let origin = '';
let stuckPath: string | undefined;
let lastAt = 0;
let latencies: number[] = [];
let onRequest: () => void = () => undefined;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url === stuckPath) return;
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString());
    lastAt = Date.now();
    latencies.push(lastAt - Date.parse(timestamp));
    response.writeHead(204).end();
    onRequest();
  });
});

const listen = () =>
  new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      resolve();
    });
  });

const waitFor = (count: number) =>
  new Promise<void>((resolve) => {
    onRequest = () => {
      if (latencies.length >= count) resolve();
    };
    onRequest();
  });

handleJobs(async (job: ReceiverJob): Promise<Received> => {
  if (job.kind === 'listen') await listen();
  else if (job.kind === 'wait') await waitFor(job.count);
  else [latencies, stuckPath] = [[], job.stuckPath];
  return { origin, lastAt, latencies };
});

/** Downloads and uploads large bodies, and reads responses slowly. Runs in a separate process. */
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http';
import { handleJobs } from './job-process.ts';
import { cpuNs } from './process-usage.ts';

interface Call {
  readonly url: string;
  readonly token: string;
}

export type StreamJob =
  | ({ readonly kind: 'download'; readonly pid: number } & Call)
  | ({ readonly kind: 'upload'; readonly pid: number; readonly bytes: number } & Call)
  | { readonly kind: 'read slowly'; readonly calls: readonly Call[]; readonly bytesPerSecond: number }
  | { readonly kind: 'stop reading' };

export interface StreamResult {
  readonly bytes: number;
  readonly ms: number;
  /** CPU time that the measured process used for the transfer, in milliseconds. */
  readonly cpuMs: number;
}

const CHUNK = Buffer.alloc(64 * 1024, 'x');
const READS_PER_SECOND = 2;

const open = ({ url, token }: Call, method: string, headers: Record<string, number> = {}): ClientRequest =>
  sendRequest(url, { method, agent: false, headers: { ...headers, authorization: `Bearer ${token}` } });

async function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200)
    throw new Error(`A stream failed with ${response.statusCode}: ${(await response.toArray()).join('')}`);
  return response;
}

async function download(call: Call): Promise<number> {
  const response = await responseTo(open(call, 'GET').end());
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await once(response, 'end');
  return bytes;
}

async function upload(call: Call, bytes: number): Promise<number> {
  const request = open(call, 'PUT', { 'content-length': bytes });
  const responded = responseTo(request);
  for (let left = bytes; left > 0; left -= CHUNK.length) {
    const hasRoom = request.write(CHUNK.subarray(0, Math.min(left, CHUNK.length)));
    if (!hasRoom) await Promise.race([once(request, 'drain'), responded]);
  }
  request.end();
  return Number((await (await responded).toArray()).join(''));
}

async function measure(pid: number, work: Promise<number>): Promise<StreamResult> {
  const [cpu, startedAt] = [cpuNs(pid), performance.now()];
  const bytes = await work;
  return { bytes, ms: performance.now() - startedAt, cpuMs: (cpuNs(pid) - cpu) / 1e6 };
}

let stopReading = (): void => undefined;

/** Starts downloads whose responses are read slowly. Resolves when the headers of all responses have arrived. */
async function readSlowly(calls: readonly Call[], bytesPerSecond: number): Promise<void> {
  const responses = await Promise.all(calls.map((call) => responseTo(open(call, 'GET').end())));
  for (const response of responses) response.pause().on('error', () => undefined);
  let reads = 0;
  const readNext = () => {
    reads += 1;
    responses[reads % responses.length]?.read(bytesPerSecond / READS_PER_SECOND);
  };
  const timer = setInterval(readNext, 1000 / READS_PER_SECOND / responses.length);
  stopReading = () => {
    clearInterval(timer);
    for (const response of responses) response.destroy();
  };
}

const NOTHING: StreamResult = { bytes: 0, ms: 0, cpuMs: 0 };

handleJobs(async (job: StreamJob): Promise<StreamResult> => {
  if (job.kind === 'download') return measure(job.pid, download(job));
  if (job.kind === 'upload') return measure(job.pid, upload(job, job.bytes));
  if (job.kind === 'read slowly') await readSlowly(job.calls, job.bytesPerSecond);
  else stopReading();
  return NOTHING;
});

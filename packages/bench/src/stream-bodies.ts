/** Sends and takes large bodies, and reads slowly, in a process of its own. */
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http';
import { answerJobs } from './job-process.ts';
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
  /** Of the process measured. */
  readonly cpuMs: number;
}

const CHUNK = Buffer.alloc(64 * 1024, 'x');
const READS_PER_SECOND = 2;

const open = ({ url, token }: Call, method: string, headers: Record<string, number> = {}): ClientRequest =>
  sendRequest(url, { method, agent: false, headers: { ...headers, authorization: `Bearer ${token}` } });

async function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200)
    throw new Error(`A stream was answered ${answer.statusCode}: ${(await answer.toArray()).join('')}`);
  return answer;
}

async function download(call: Call): Promise<number> {
  const answer = await answerTo(open(call, 'GET').end());
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await once(answer, 'end');
  return bytes;
}

async function upload(call: Call, bytes: number): Promise<number> {
  const request = open(call, 'PUT', { 'content-length': bytes });
  const answered = answerTo(request);
  for (let left = bytes; left > 0; left -= CHUNK.length) {
    const hasRoom = request.write(CHUNK.subarray(0, Math.min(left, CHUNK.length)));
    if (!hasRoom) await Promise.race([once(request, 'drain'), answered]);
  }
  request.end();
  return Number((await (await answered).toArray()).join(''));
}

async function timed(pid: number, work: Promise<number>): Promise<StreamResult> {
  const [cpu, startedAt] = [cpuNs(pid), performance.now()];
  const bytes = await work;
  return { bytes, ms: performance.now() - startedAt, cpuMs: (cpuNs(pid) - cpu) / 1e6 };
}

let stopReading = (): void => undefined;

/** Resolves when every reader has got the head of its answer. */
async function readSlowly(calls: readonly Call[], bytesPerSecond: number): Promise<void> {
  const answers = await Promise.all(calls.map((call) => answerTo(open(call, 'GET').end())));
  for (const answer of answers) answer.pause().on('error', () => undefined);
  let turn = 0;
  const readNext = () => {
    turn += 1;
    answers[turn % answers.length]?.read(bytesPerSecond / READS_PER_SECOND);
  };
  const timer = setInterval(readNext, 1000 / READS_PER_SECOND / answers.length);
  stopReading = () => {
    clearInterval(timer);
    for (const answer of answers) answer.destroy();
  };
}

const NOTHING: StreamResult = { bytes: 0, ms: 0, cpuMs: 0 };

answerJobs(async (job: StreamJob): Promise<StreamResult> => {
  if (job.kind === 'download') return timed(job.pid, download(job));
  if (job.kind === 'upload') return timed(job.pid, upload(job, job.bytes));
  if (job.kind === 'read slowly') await readSlowly(job.calls, job.bytesPerSecond);
  else stopReading();
  return NOTHING;
});

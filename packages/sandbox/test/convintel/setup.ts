import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/index.js';
import { type ApiResponse, callApi } from '../authorized.js';

export const UNKNOWN = '11111111-2222-3333-4444-555555555555';
export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

export let sandbox: Sandbox;

/** Starts a convintel sandbox for a test file and resets its data before every test. */
export function useConvintel(): void {
  beforeAll(async () => {
    sandbox = await startSandbox({ connectors: ['convintel'] });
  });
  afterAll(() => sandbox.stop());
  beforeEach(() => sandbox.reset());
}

interface Options {
  key?: string;
  region?: 'us' | 'eu';
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

export function call(method: string, path: string, options: Options = {}): Promise<ApiResponse> {
  const { key = 'sandbox-key', region = 'us', query = {}, body, headers = {} } = options;
  const { baseUrl } = sandbox.upstream('convintel');
  const prefix = region === 'us' ? '' : '/eu';
  return callApi(`${baseUrl}${prefix}${path}?${new URLSearchParams(query)}`, method, {
    token: key,
    body,
    headers,
  });
}

export const get = (path: string, query: Record<string, string> = {}) => call('GET', path, { query });

/** Formats the sandbox time `ms` milliseconds ago, in the date-time format of requests. */
export async function ago(ms: number): Promise<string> {
  return new Date((await sandbox.clock.now()) - ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** Returns query parameters for the last 30 days. */
export const lately = async () => ({ fromDate: await ago(30 * DAY), toDate: await ago(MINUTE) });

/** Returns the id of a seeded activity by its title. */
export async function activity(title: string, status = 'completed'): Promise<string> {
  const { body } = await get('/getActivities', { ...(await lately()), status });
  return body.results.find((one: { title: string }) => one.title === title).id;
}

/** Uploads an activity with a recording. A `file` of null omits the recording. */
export async function upload(fields: Record<string, string>, file: Blob | null = new Blob(['sound'])) {
  const form = new FormData();
  const all = { hostUserEmail: 'ada@example.com', language: 'en_GB', title: 'Uploaded', ...fields };
  for (const [name, value] of Object.entries(all)) form.append(name, value);
  if (file !== null) form.append('file', file, 'call.mp3');
  const response = await fetch(`${sandbox.upstream('convintel').baseUrl}/uploadActivity`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-key' },
    body: form,
  });
  // biome-ignore lint/suspicious/noExplicitAny: expectations read any property of a response
  const body: any = await response.json();
  return { status: response.status, body };
}

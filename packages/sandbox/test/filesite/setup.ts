import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/index.js';
import { type ApiResponse, type Connected, connect } from '../authorized.js';

export const DRIVE = '/v1.0/sites/root/drive';
export const UNIT = 320 * 1024;

export let sandbox: Sandbox;
/** API client with an access token of Ada. */
export let ada: Connected;

/** Starts a filesite sandbox for a test file and resets its data before every test. */
export function useFilesite(): void {
  beforeAll(async () => {
    sandbox = await startSandbox({ connectors: ['filesite'] });
  });
  afterAll(() => sandbox.stop());
  beforeEach(async () => {
    await sandbox.reset();
    ada = await connect(sandbox, 'filesite', { user: 'ada' });
  });
}

export const get = (path: string, headers: Record<string, string> = {}) => ada.call('GET', path, { headers });

/** Writes a file to the root site's library. */
export const put = (
  name: string,
  body: string,
  rest: { query?: string; headers?: Record<string, string> } = {},
) =>
  ada.call('PUT', `${DRIVE}/root:/${name}:/content${rest.query ?? ''}`, {
    body,
    headers: { 'content-type': 'text/plain', ...rest.headers },
  });

/** Creates an upload session for a file in the root site's library. */
export const open = (name: string, body: object = {}) =>
  ada.call('POST', `${DRIVE}/root:/${name}:/createUploadSession`, { body });

/** Returns the status, the error code and, if present, the inner error code of a response. */
export const reason = ({ status, body }: ApiResponse) => [
  status,
  body.error.code,
  ...(body.error.innerError?.code === undefined ? [] : [body.error.innerError.code]),
];

// biome-ignore lint/suspicious/noExplicitAny: expectations read any property of a response
export const values = ({ body }: ApiResponse): any[] => body.value;

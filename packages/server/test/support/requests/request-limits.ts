import { Readable } from 'node:stream';

const MIB = 1024 * 1024;
const IDENTIFIER = 256;

/** Service URL and access token of a request. */
interface Target {
  readonly url: string;
  readonly accessToken: string;
}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable | string;
}

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const padded = (text: string, bytes: number) => text.replace('…', ' '.repeat(bytes - text.length + 1));
const nested = (depth: number) =>
  `{"connectedAccountId":"acct_1","toolInput":${'{"a":'.repeat(depth - 1)}1${'}'.repeat(depth)}`;
const ACCOUNT = '/v1/connections/limits/accounts';
const execute = { method: 'POST', path: '/v1/tools/calendar_list_calendars/execute', headers: json };

export interface Limit {
  readonly what: string;
  /** Builds a request with `count` of the limited parts, such as headers, bytes of a body or levels of JSON. */
  readonly given: (count: number, target: Target) => Sent;
  readonly most: number;
  /** True if the test takes seconds. Only full runs test such a limit. */
  readonly isLong?: boolean;
  /** Status of the response to the largest allowed request. */
  readonly taken: number;
  readonly refused: readonly [number, string];
}

/** Limits of a service with the connection `limits` and its account `user_42`. */
export const LIMITS: readonly Limit[] = [
  {
    what: 'bytes of JSON',
    given: (count) => ({
      ...execute,
      body: padded('{"connectedAccountId":"acct_1","toolInput":{}…}', count),
    }),
    most: MIB,
    taken: 404,
    refused: [413, 'payload_too_large'],
  },
  {
    what: 'levels of JSON',
    given: (count) => ({ ...execute, body: nested(count) }),
    most: 32,
    taken: 404,
    refused: [400, 'invalid_request'],
  },
  {
    what: 'bytes to sign an operator in',
    given: (count) => ({
      method: 'POST',
      path: '/operator/v1/session',
      headers: json,
      body: padded('{"name":"nobody","password":"wrong"…}', count),
    }),
    most: 4096,
    taken: 401,
    refused: [413, 'payload_too_large'],
  },
  {
    what: 'bytes to sign an application in',
    given: (count) => ({
      method: 'POST',
      path: '/oauth/token',
      headers: { ...form, authorization: 'Basic bm9ib2R5Ondyb25n' },
      body: padded('grant_type=client_credentials&more=…', count).replaceAll(' ', 'x'),
    }),
    most: 4096,
    taken: 401,
    refused: [413, 'payload_too_large'],
  },
  {
    what: 'bytes to verify',
    given: (count) => ({
      method: 'POST',
      path: '/v1/accounts/verify',
      headers: json,
      body: padded('{"authRequestId":"none","identifier":"user_42"…}', count),
    }),
    most: 4096,
    taken: 404,
    refused: [413, 'payload_too_large'],
  },
  {
    what: 'bytes of a form on the connect page',
    given: (count) => ({
      method: 'POST',
      path: '/connect/none',
      headers: form,
      body: `decision=${'x'.repeat(count - 'decision='.length)}`,
    }),
    most: 4096,
    taken: 303,
    refused: [413, 'payload_too_large'],
  },
  {
    what: 'headers',
    // Adds three headers fewer than `count`, because each request already has `host`, `connection` and `authorization`.
    given: (count) => ({
      path: '/v1/connectors',
      headers: Object.fromEntries(Array.from({ length: count - 3 }, (_, index) => [`x-${index}`, '1'])),
    }),
    most: 64,
    taken: 200,
    refused: [431, 'headers_too_large'],
  },
  {
    what: 'bytes of headers and path',
    // Fills one header up to `count` bytes. Node.js counts only the path and the header names and values, without
    // separators and line ends.
    given: (count, { url, accessToken }) => {
      const { host } = new URL(url);
      const known = ['/healthz', 'Host', host, 'Connection', 'close', 'x'].join('').length;
      const authorization = `authorizationBearer ${accessToken}`.length;
      return { path: '/healthz', headers: { x: 'x'.repeat(count - known - authorization) } };
    },
    most: 16 * 1024,
    taken: 200,
    refused: [431, 'headers_too_large'],
  },
  {
    what: 'bytes of a path',
    given: (count) => ({ path: '/v1/proxy/limits/user_42/'.padEnd(count, 'x') }),
    most: 8192,
    taken: 200,
    refused: [400, 'invalid_request'],
  },
  {
    what: 'bytes of a path and its query',
    given: (count) => ({ path: '/healthz?'.padEnd(count, 'x') }),
    most: 8192,
    taken: 200,
    refused: [400, 'invalid_request'],
  },
  {
    what: 'bytes of an identifier',
    given: (count) => ({ method: 'PUT', path: `${ACCOUNT}/${'x'.repeat(count)}` }),
    most: IDENTIFIER,
    taken: 201,
    refused: [400, 'invalid_request'],
  },
  {
    what: 'bytes of an identifier in the proxy',
    given: (count) => ({ path: `/v1/proxy/limits/${'y'.repeat(count)}/v2/calls` }),
    most: IDENTIFIER,
    taken: 409,
    refused: [400, 'invalid_request'],
  },
  {
    what: 'two-byte characters of an identifier',
    given: (count) => ({ method: 'PUT', path: `${ACCOUNT}/${encodeURIComponent('é'.repeat(count))}` }),
    most: IDENTIFIER / 2,
    taken: 201,
    refused: [400, 'invalid_request'],
  },
  {
    what: 'bytes of an upload with Content-Length',
    given: (count) => ({
      method: 'PUT',
      path: '/v1/proxy/limits/user_42/v2/calls',
      headers: { 'content-length': String(count) },
      body: zeros(count > 250 * MIB ? 0 : count),
    }),
    most: 250 * MIB,
    taken: 200,
    refused: [413, 'payload_too_large'],
  },
  {
    what: 'bytes of an upload in chunks',
    isLong: true,
    given: (count) => ({
      method: 'PUT',
      path: '/v1/proxy/limits/user_42/v2/calls',
      headers: { 'transfer-encoding': 'chunked' },
      body: zeros(count),
    }),
    most: 250 * MIB,
    taken: 200,
    refused: [413, 'payload_too_large'],
  },
];

const CHUNK = Buffer.alloc(MIB);

function zeros(count: number): Readable {
  let left = count;
  return new Readable({
    highWaterMark: MIB,
    read() {
      this.push(left === 0 ? null : CHUNK.subarray(0, Math.min(left, MIB)));
      left -= Math.min(left, MIB);
    },
  });
}

import { createHash } from 'node:crypto';
import { isObject, parseJson } from './json.js';

/** A recorded request to an emulated service. */
export interface RecordedRequest {
  upstream: string;
  method: string;
  /** Name of the emulated service's additional host. Absent for its main host. */
  host?: string;
  /** Path at the emulated service, without the sandbox's prefix and without the query. */
  path: string;
  query: Record<string, string | string[]>;
  /** Request headers. The values of Authorization, Cookie and headers with an API key are hidden. */
  headers: Record<string, string>;
  /**
   * First 16 hexadecimal digits of the SHA-256 of the Authorization header, to distinguish tokens. Absent without this
   * header.
   */
  authorizationHash?: string;
  /** Request body, parsed if it is JSON or a form. Secrets are hidden. */
  body: unknown;
  status: number;
  /** Time of the request in epoch milliseconds, on the sandbox clock. */
  at: number;
}

const MAX_RECORDS = 1000;
const HIDDEN = '[hidden]';
const SECRET_QUERY = new Set(['tempauth', 'access_token', 'oauth_token']);
const SECRETS = new Set(['client_secret', 'code', 'code_verifier', 'refresh_token', 'access_token', 'token']);

export type Recorder = ReturnType<typeof createRecorder>;

export function createRecorder() {
  let requests: { upstream: string; read: () => RecordedRequest }[] = [];
  return {
    /**
     * Records a request. The body is parsed only when a test reads it, because parsing an upload takes longer than the
     * upload.
     */
    add(request: Omit<RecordedRequest, 'body'>, readBody: () => unknown) {
      let complete: RecordedRequest | undefined;
      const read = () => {
        complete ??= { ...request, body: readBody() };
        return complete;
      };
      requests.push({ upstream: request.upstream, read });
      if (requests.length > MAX_RECORDS) requests = requests.slice(-MAX_RECORDS);
    },
    list: (upstream?: string) =>
      requests
        .filter((request) => upstream === undefined || request.upstream === upstream)
        .map(({ read }) => read()),
    clear() {
      requests = [];
    },
  };
}

export const credentialHash = (credential: string): string =>
  createHash('sha256').update(credential).digest('hex').slice(0, 16);

export function recordableHeaders(
  headers: Record<string, string | string[] | undefined>,
  keyHeaders: readonly string[],
): Record<string, string> {
  const recorded: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
    if (name === 'authorization') recorded[name] = `${text.split(' ')[0]} ${HIDDEN}`;
    else recorded[name] = name === 'cookie' || keyHeaders.includes(name) ? HIDDEN : text;
  }
  return recorded;
}

export function recordableQuery(query: URLSearchParams): Record<string, string | string[]> {
  const recorded: Record<string, string | string[]> = {};
  for (const name of new Set(query.keys())) {
    const values = SECRET_QUERY.has(name) ? [HIDDEN] : query.getAll(name);
    recorded[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return recorded;
}

export function recordableBody(body: Buffer | undefined, contentType = ''): unknown {
  if (body === undefined || body.length === 0) return undefined;
  const text = body.toString('utf8');
  if (contentType.includes('x-www-form-urlencoded'))
    return hideSecrets(Object.fromEntries(new URLSearchParams(text)));
  const parsed = parseJson(text);
  return parsed === undefined ? text : hideSecrets(parsed);
}

// Hides secrets at the top level of OAuth bodies. Bodies of API requests stay unchanged, because they contain no OAuth
// secrets.
function hideSecrets(body: unknown): unknown {
  if (!isObject(body) || !('grant_type' in body || 'token' in body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, SECRETS.has(key) ? HIDDEN : value]),
  );
}

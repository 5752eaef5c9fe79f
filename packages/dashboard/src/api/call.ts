import type { Operations } from '../generated/operations.ts';
import { BASE_PATH } from '../service-url.ts';
import { readError, unreachable } from './api-error.ts';
import { noteNoSession, type Session, session } from './session.ts';

export type OperationName = keyof Operations;
export type RequestOf<Name extends OperationName> = Operations[Name]['request'];
export type ResponseOf<Name extends OperationName> = Operations[Name]['response'];

interface AnyRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** `etag` of the object that the call changes. The call fails if somebody else has changed the object since. */
  readonly ifMatch?: string | undefined;
}

/** Builds the URL of an API operation. Download links in pages use this URL too. */
export function addressOf<Name extends OperationName>(name: Name, request: RequestOf<Name>): string {
  const { path = {}, query = {} }: AnyRequest = request;
  const [, template = ''] = name.split(' ');
  const filled = template.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(path[key] ?? ''));
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(key, String(value));
  }
  return BASE_PATH + (parameters.size === 0 ? filled : `${filled}?${parameters}`);
}

function toRequest(method: string, { body }: AnyRequest, { signal, ifMatch }: CallOptions): RequestInit {
  const csrf = method === 'GET' ? undefined : session.value?.csrfToken;
  return {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(csrf !== undefined && { 'svc-csrf': csrf }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
}

async function send(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw unreachable();
  }
}

/** API operations that sign in an operator. Their status 401 means a failed sign-in, not an expired session. */
const SIGN_IN: readonly OperationName[] = [
  'POST /operator/v1/session',
  'POST /operator/v1/session/link',
  'POST /operator/v1/session/passkey-options',
  'POST /operator/v1/session/passkey',
];

/**
 * Loads the session again after a call failed with status 403, because another browser window may have started a new
 * session. Returns true if the call can be repeated: the session is new and belongs to the same operator.
 */
async function hasNewSession(): Promise<boolean> {
  const before = session.value;
  const response = await send(addressOf('GET /operator/v1/session', {}), {});
  if (!before || !response.ok) return false;
  const now: Session = await response.json();
  if (now.csrfToken === before.csrfToken) return false;
  session.value = now;
  return now.name === before.name;
}

/**
 * Calls an operation of the operator API. Throws ApiError. If the session has expired, the dashboard shows the sign-in
 * page.
 */
export async function call<Name extends OperationName>(
  name: Name,
  request: RequestOf<Name>,
  options: CallOptions = {},
): Promise<ResponseOf<Name>> {
  const [method = 'GET'] = name.split(' ');
  const attempt = () => send(addressOf(name, request), toRequest(method, request, options));
  let response = await attempt();
  if (response.status === 403 && method !== 'GET' && (await hasNewSession())) response = await attempt();
  if (response.status === 401 && !SIGN_IN.includes(name)) noteNoSession();
  if (!response.ok) throw await readError(response);
  return response.status === 204 ? undefined : await response.json();
}

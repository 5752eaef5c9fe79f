import type { Operations } from '../generated/operations.ts';
import { readError, unreachable } from './api-error.ts';
import { noteNoSession, type Session, session } from './session.ts';

export type OperationName = keyof Operations;
export type Given<Name extends OperationName> = Operations[Name]['given'];
export type Answer<Name extends OperationName> = Operations[Name]['answer'];

/** The request of any operation. */
interface AnyGiven {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The address of an operation, for links that the browser follows itself, such as a download. */
export function addressOf<Name extends OperationName>(name: Name, given: Given<Name>): string {
  const { path = {}, query = {} }: AnyGiven = given;
  const [, template = ''] = name.split(' ');
  const filled = template.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(path[key] ?? ''));
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(key, String(value));
  }
  return parameters.size === 0 ? filled : `${filled}?${parameters}`;
}

function toRequest(method: string, { body }: AnyGiven, { signal, headers }: CallOptions): RequestInit {
  const csrf = method === 'GET' ? undefined : session.value?.csrfToken;
  return {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(csrf !== undefined && { 'svc-csrf': csrf }),
      ...headers,
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

/** The operations that sign in. Status 401 means here that signing in failed, not that a session ended. */
const SIGN_IN: readonly OperationName[] = [
  'POST /operator/v1/session',
  'POST /operator/v1/session/link',
  'POST /operator/v1/session/passkey-options',
  'POST /operator/v1/session/passkey',
];

/**
 * Takes over a session that began in another window of this browser, because the call failed with the CSRF token of the
 * old one. Returns `false` for the session of another operator, so that no call is repeated in their name.
 */
async function hasNewSession(): Promise<boolean> {
  const before = session.value;
  const answer = await send('/operator/v1/session', {});
  if (!before || !answer.ok) return false;
  const now: Session = await answer.json();
  if (now.csrfToken === before.csrfToken) return false;
  session.value = now;
  return now.name === before.name;
}

/** Calls an operation of the operator API. Throws an ApiError; a session that has ended leads to signing in. */
export async function call<Name extends OperationName>(
  name: Name,
  given: Given<Name>,
  options: CallOptions = {},
): Promise<Answer<Name>> {
  const [method = 'GET'] = name.split(' ');
  const ask = () => send(addressOf(name, given), toRequest(method, given, options));
  let answer = await ask();
  if (answer.status === 403 && method !== 'GET' && (await hasNewSession())) answer = await ask();
  if (answer.status === 401 && !SIGN_IN.includes(name)) noteNoSession();
  if (!answer.ok) throw await readError(answer);
  return answer.status === 204 ? undefined : await answer.json();
}

import { Readable } from 'node:stream';
import type { Connector } from '@svc/catalog';
import type { Credential, Credentials } from '../accounts/credentials.js';
import type { ResolvedAccount } from '../accounts/resolve.js';
import { ServiceError } from '../errors.js';
import type { HttpResponse, SendHttp } from '../http/send.js';
import { requestHeaders } from './headers.js';
import { inject } from './inject.js';
import type { Limiter } from './limiter.js';
import { buildTarget } from './target.js';

export type { Resolve, ResolvedAccount } from '../accounts/resolve.js';
export type { HttpResponse } from '../http/send.js';

export interface ForwardRequest {
  readonly method: string;
  /** Below the connection's base URL, without query. */
  readonly path: string;
  readonly query?: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** A Buffer is held and can be sent again; a stream is sent once. */
  readonly body?: Buffer | Readable | undefined;
  /** Length of a stream, when it is known. */
  readonly contentLength?: number | undefined;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request as the account. Throws our own errors only; whatever the upstream answers is a response. */
export type Forward = (account: ResolvedAccount, request: ForwardRequest) => Promise<HttpResponse>;

export interface ForwardOptions {
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly credentials: Credentials;
  readonly send: SendHttp;
  readonly limiter: Limiter;
}

const TIMEOUT_MS = 120_000;
const UPLOAD_TIMEOUT_MS = 600_000;

function lengthHeaders({ body, contentLength }: ForwardRequest): string[] {
  const isKnown = body instanceof Readable && contentLength !== undefined;
  return isKnown ? ['content-length', String(contentLength)] : [];
}

function createAttempt(account: ResolvedAccount, request: ForwardRequest, options: ForwardOptions) {
  const connector = options.connectors.get(account.connector);
  if (connector === undefined) {
    throw new ServiceError('connector_not_found', `There is no connector "${account.connector}" any more.`);
  }
  const target = buildTarget(account.baseUrl, request.path, request.query);
  const headers = requestHeaders(request.headers, connector).concat(lengthHeaders(request));
  const timeoutMs = request.timeoutMs ?? (request.body instanceof Readable ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS);
  return (credential: Credential): Promise<HttpResponse> =>
    options.send({
      ...target,
      method: request.method,
      headers: inject(headers, connector.auth.inject, credential.secret),
      body: request.body,
      timeoutMs,
      signal: request.signal,
    });
}

/** The one way to an upstream, for the proxy and for tools. */
export function createForward(options: ForwardOptions): Forward {
  const { credentials, limiter } = options;

  // Rule R10: one new credential, one replay, and only of a body that is held.
  const renewOnce = async (
    account: ResolvedAccount,
    request: ForwardRequest,
    attempt: (credential: Credential) => Promise<HttpResponse>,
  ): Promise<HttpResponse> => {
    const credential = await credentials.current(account);
    const response = await attempt(credential);
    if (response.status !== 401) return response;
    const renewed = await credentials.renew(account, credential).catch((error: unknown) => {
      response.body.destroy();
      throw error;
    });
    if (renewed === undefined || request.body instanceof Readable) return response;
    response.body.discard();
    return attempt(renewed);
  };

  return async (account, request) => {
    const attempt = createAttempt(account, request, options);
    const release = await limiter.acquire(account.connectionId, request.signal);
    try {
      const response = await renewOnce(account, request, attempt);
      response.body.onClose(release);
      return response;
    } catch (error) {
      release();
      throw error;
    }
  };
}

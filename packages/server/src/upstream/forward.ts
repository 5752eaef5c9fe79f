import { Readable } from 'node:stream';
import type { Connector } from '@svc/catalog';
import type { Credential, Credentials } from '../accounts/credentials.js';
import type { ResolvedAccount } from '../accounts/resolve.js';
import { secret } from '../accounts/secret.js';
import { ServiceError } from '../errors.js';
import type { HttpResponse, SendHttp } from '../http/send.js';
import { type Destination, destinationOf, keyHeadersOf } from './destination.js';
import { requestHeaders } from './headers.js';
import { inject } from './inject.js';
import type { Limiter } from './limiter.js';
import { buildTarget } from './target.js';
import { toFinal } from './to-final.js';

export type { Resolve, ResolvedAccount } from '../accounts/resolve.js';
export type { HttpResponse } from '../http/send.js';

export interface ForwardRequest {
  readonly method: string;
  /** One of the connector's hosts; absent for its base URL. */
  readonly host?: string | undefined;
  /** Below the host's base URL, without query. */
  readonly path: string;
  readonly query?: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** A Buffer is held and can be sent again; a stream is sent once. */
  readonly body?: Buffer | Readable | undefined;
  /** Length of a stream, when it is known. */
  readonly contentLength?: number | undefined;
  /** A secret that is sent in the place of the account's credential. */
  readonly credential?: string | undefined;
  /** Until then the upstream may be silent. Absent: two minutes, more for an upload, and no long silence. */
  readonly timeoutMs?: number | undefined;
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

/** The deadline of calls that may take minutes, a little more than the longest that upstreams allow themselves. */
export const LONG_RUNNING_MS = 330_000;
const TIMEOUT_MS = 120_000;
const UPLOAD_TIMEOUT_MS = 600_000;

const defaultTimeoutOf = ({ body }: ForwardRequest): number =>
  body instanceof Readable ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS;

function lengthHeaders({ body, contentLength }: ForwardRequest): string[] {
  const isKnown = body instanceof Readable && contentLength !== undefined;
  return isKnown ? ['content-length', String(contentLength)] : [];
}

type Attempt = (credential: Pick<Credential, 'secret'>) => Promise<HttpResponse>;

interface Journey {
  readonly request: ForwardRequest;
  readonly destination: Destination;
}

function createAttempt(connector: Connector, { request, destination }: Journey, send: SendHttp): Attempt {
  const target = buildTarget(destination.baseUrl, request.path, request.query);
  const rules = { defaults: destination.headers, keyHeaders: keyHeadersOf(connector) };
  const headers = requestHeaders(request.headers, rules).concat(lengthHeaders(request));
  return ({ secret }) =>
    send({
      ...target,
      connector: connector.id,
      method: request.method,
      headers: inject(headers, destination.inject, secret),
      body: request.body,
      timeoutMs: request.timeoutMs ?? defaultTimeoutOf(request),
      quietMs: request.timeoutMs,
      signal: request.signal,
    });
}

function findConnector(connectors: ForwardOptions['connectors'], id: string): Connector {
  const connector = connectors.get(id);
  if (connector) return connector;
  throw new ServiceError('connector_not_found', `There is no connector "${id}" any more.`);
}

/** The one way to an upstream, for the proxy and for tools. */
export function createForward({ connectors, credentials, send, limiter }: ForwardOptions): Forward {
  // Rule R10: one new credential, one replay, and only of a body that is held.
  const renewOnce = async (
    account: ResolvedAccount,
    { request, destination }: Journey,
    attempt: Attempt,
  ): Promise<HttpResponse> => {
    if (request.credential !== undefined) return attempt({ secret: secret(request.credential) });
    const credential = await credentials.current(account, destination.credential);
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
    const connector = findConnector(connectors, account.connector);
    const journey = { request, destination: destinationOf(connector, account, request.host) };
    const attempt = createAttempt(connector, journey, send);
    const release = await limiter.acquire(account.connectionId, request.signal);
    try {
      const response = await renewOnce(account, journey, attempt);
      response.body.onClose(release);
      return response;
    } catch (error) {
      release();
      throw toFinal(error, connector);
    }
  };
}

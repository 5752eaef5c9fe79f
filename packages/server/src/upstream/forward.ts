import { Readable } from 'node:stream';
import type { Connector } from '@svc/catalog';
import type { Credential } from '../connections/credential.js';
import type { Credentials } from '../connections/credentials.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import type { Cancellation, HttpResponse, SendHttp } from '../http/send.js';
import { secret } from '../secret.js';
import { type Breaker, verdictOf, verdictOfError } from './breaker.js';
import { createFindDestination, type Destination } from './destination.js';
import type { Limiter, Release } from './limiter.js';
import { createBuildTarget, type Target } from './target.js';
import { toFinal } from './to-final.js';
import { newTrace, type Trace } from './trace.js';

export type { AccountReference, CheckAccount, Resolve } from '../connections/resolve.js';
export type { ResolvedAccount } from '../connections/resolved-account.js';
export type { Cancellation, HttpResponse } from '../http/send.js';

export interface OpenedBody {
  /** A Buffer is held and can be sent again; a stream is sent once. */
  readonly body: Buffer | Readable | undefined;
  /** Length of a stream, when it is known. */
  readonly contentLength?: number | undefined;
}

export interface ForwardRequest {
  readonly method: string;
  /** One of the connector's hosts; absent for its base URL. */
  readonly host?: string | undefined;
  /** Below the host's base URL, without query. */
  readonly path: string;
  readonly query?: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body?: Buffer | undefined;
  /** Gives the body when it is the call's turn, so that those who wait hold none; in the place of `body`. */
  readonly openBody?: (() => Promise<OpenedBody>) | undefined;
  /** A secret that is sent in the place of the account's credential. */
  readonly credential?: string | undefined;
  /** Until then the upstream may be silent. Absent: two minutes, more for an upload, and no long silence. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: Cancellation | undefined;
  /** Where is written down how it went. */
  readonly trace?: Trace | undefined;
}

/** Sends a request as the account. Throws our own errors only; whatever the upstream answers is a response. */
export type Forward = (account: ResolvedAccount, request: ForwardRequest) => Promise<HttpResponse>;

export interface ForwardOptions {
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly credentials: Credentials;
  readonly send: SendHttp;
  readonly limiter: Limiter;
  readonly breaker: Breaker;
}

/** The deadline of calls that may take minutes, a little more than the longest that upstreams allow themselves. */
export const LONG_RUNNING_MS = 330_000;
const TIMEOUT_MS = 120_000;
const UPLOAD_TIMEOUT_MS = 600_000;

const defaultTimeoutOf = ({ body }: OpenedBody): number =>
  body instanceof Readable ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS;

function lengthHeaders({ body, contentLength }: OpenedBody): string[] {
  const isKnown = body instanceof Readable && contentLength !== undefined;
  return isKnown ? ['content-length', String(contentLength)] : [];
}

type Attempt = (credential: Pick<Credential, 'secret'>) => Promise<HttpResponse>;

interface Journey {
  readonly applicationId: string;
  readonly request: ForwardRequest;
  readonly destination: Destination;
  readonly target: Target;
}

interface Trying {
  readonly attempt: Attempt;
  readonly isHeld: boolean;
  readonly trace: Trace;
}

/** Checks everything that the request says, before it takes a place; gives attempts with its body then. */
function prepare(connector: Connector, journey: Journey, send: SendHttp) {
  const { applicationId, request, destination, target } = journey;
  const { host } = destination;
  const headers = host.headers(request.headers);
  return (opened: OpenedBody): Attempt =>
    ({ secret }) => {
      const given = { path: target.path, headers: headers.concat(lengthHeaders(opened)) };
      const outgoing = host.inject(given, secret);
      return send({
        origin: target.origin,
        path: outgoing.path,
        headers: outgoing.headers,
        owner: applicationId,
        connector: connector.id,
        method: request.method,
        body: opened.body,
        timeoutMs: request.timeoutMs ?? defaultTimeoutOf(opened),
        quietMs: request.timeoutMs,
        signal: request.signal,
      });
    };
}

interface Guard {
  readonly breaker: Breaker;
  readonly key: string;
  /** The id. */
  readonly account: string;
  readonly trace: Trace;
}

/** Sends only to an upstream that answers, as far as earlier calls of the connection tell. */
const guarded =
  (send: SendHttp, { breaker, key, account, trace }: Guard): SendHttp =>
  async (request) => {
    const tell = breaker.enter(key, account);
    const began = performance.now();
    trace.attempts += 1;
    try {
      const response = await send(request);
      tell(verdictOf(response.status));
      return response;
    } catch (error) {
      tell(verdictOfError(error));
      throw error;
    } finally {
      trace.upstreamMs += performance.now() - began;
    }
  };

async function waited(place: Promise<Release>, trace: Trace): Promise<Release> {
  const began = performance.now();
  try {
    return await place;
  } finally {
    trace.waitedMs += performance.now() - began;
  }
}

/** The connectors of the catalogue, and the ways to their hosts. */
export function createFindConnector(connectors: ForwardOptions['connectors']) {
  const compiled = new Map(
    [...connectors].map(([id, connector]) => [
      id,
      { connector, destinationOf: createFindDestination(connector) },
    ]),
  );
  return (id: string) => {
    const found = compiled.get(id);
    if (found) return found;
    throw new ServiceError('connector_not_found', `There is no connector "${id}" any more.`);
  };
}

/** The one way to an upstream, for the proxy and for tools. */
export function createForward(options: ForwardOptions): Forward {
  const { credentials, limiter, breaker } = options;
  const findConnector = createFindConnector(options.connectors);
  const buildTarget = createBuildTarget();

  // Rule R10: one new credential, one replay, and only of a body that is held.
  const renewOnce = async (
    account: ResolvedAccount,
    { rejected, response }: { readonly rejected: Credential; readonly response: HttpResponse },
    { attempt, isHeld, trace }: Trying,
  ): Promise<HttpResponse> => {
    const renewed = await credentials.renew(account, rejected).catch((error: unknown) => {
      response.body.destroy();
      throw error;
    });
    if (renewed === undefined) return response;
    trace.isRefreshed = true;
    if (!isHeld) return response;
    response.body.discard();
    const answer = await attempt(renewed);
    if (answer.status === 401) credentials.notHelped(account, renewed);
    return answer;
  };

  const ask = async (
    account: ResolvedAccount,
    { request, destination }: Journey,
    trying: Trying,
  ): Promise<HttpResponse> => {
    const { attempt } = trying;
    if (request.credential !== undefined) return attempt({ secret: secret(request.credential) });
    const name = destination.host.credential;
    const credential = credentials.cached(account, name) ?? (await credentials.current(account, name));
    if (credential.isRenewed) trying.trace.isRefreshed = true;
    const response = await attempt(credential);
    if (response.status !== 401) return response;
    return renewOnce(account, { rejected: credential, response }, trying);
  };

  return async (account, request) => {
    const { connector, destinationOf } = findConnector(account.connector);
    const destination = destinationOf(account, request.host);
    const target = buildTarget(destination.baseUrl, request.path, request.query);
    const { applicationId } = account;
    const trace = request.trace ?? newTrace();
    const journey = { applicationId, request, destination, target };
    const key = `${account.connectionId} ${target.origin}`;
    const guard = { breaker, key, account: account.id, trace };
    const attemptWith = prepare(connector, journey, guarded(options.send, guard));
    breaker.check(key, account.id);
    const place = limiter.acquire(account, request.signal);
    const release = place instanceof Promise ? await waited(place, trace) : place;
    try {
      const opened: OpenedBody = request.openBody ? await request.openBody() : { body: request.body };
      const isHeld = !(opened.body instanceof Readable);
      const response = await ask(account, journey, { attempt: attemptWith(opened), isHeld, trace });
      response.body.onClose(release);
      return response;
    } catch (error) {
      release();
      throw toFinal(error, connector);
    }
  };
}

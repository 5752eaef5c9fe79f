import { Readable } from 'node:stream';
import type { Connector } from '@svc/catalog';
import type { Credential } from '../connections/credential.js';
import type { Credentials } from '../connections/credentials.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import type { Cancellation, HttpResponse, SendHttp, Timeouts } from '../http/send-http.js';
import { secret } from '../secret.js';
import { type Breaker, breakerKey } from './breaker.js';
import { createFindDestination, type Destination } from './destination.js';
import { createEncodedSlashes } from './encoded-slashes.js';
import { guardSend, type OnAttempt } from './guard-send.js';
import type { Limiter } from './limiter.js';
import { createBuildTarget, type Target } from './target.js';
import { toFinal } from './to-final.js';
import { newTrace, type Trace, traceWait } from './trace.js';

export interface OpenedBody {
  /** Body to send. A Buffer can be sent again after the credential was refreshed, but a stream cannot. */
  readonly body: Buffer | Readable | undefined;
  /** Length in bytes of a body that is a stream. Absent if unknown. */
  readonly contentLength?: number | undefined;
}

export interface ForwardRequest extends Omit<Timeouts, 'totalMs'> {
  /** Timeout of the whole call, in milliseconds. Default: 2 minutes, or 10 minutes for a streamed upload. */
  readonly totalMs?: number | undefined;
  readonly method: string;
  /** Name of one of the connector's hosts. Default: the main host, whose base URL the connection sets. */
  readonly host?: string | undefined;
  /** Path below the host's base URL, without the query. */
  readonly path: string;
  readonly query?: string;
  /** Request headers as alternating names and values. */
  readonly headers: readonly string[];
  readonly body?: Buffer | undefined;
  /**
   * Opens the request body when the call leaves the queue, so that queued calls need no memory for their bodies.
   * Alternative to `body`.
   */
  readonly openBody?: (() => Promise<OpenedBody>) | undefined;
  /** Secret to send instead of the account's credential. */
  readonly credential?: string | undefined;
  readonly signal?: Cancellation | undefined;
  /** Measurements of the call. `forward` adds its attempts and times. */
  readonly trace?: Trace | undefined;
}

export interface ForwardOptions {
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly credentials: Credentials;
  readonly send: SendHttp;
  readonly limiter: Limiter;
  readonly breaker: Breaker;
  readonly onAttempt?: OnAttempt | undefined;
}

export type Forward = ReturnType<typeof createForward>;

/** Response of an upstream to a request that `forward` sent. */
export interface UpstreamResponse extends HttpResponse {
  /**
   * Ends the access of the connected account, because the upstream refused its credential. Throws
   * `account_not_authorized` with `advice`. Does nothing if the account has a newer credential or can refresh it.
   * Present only for statuses 401 and 403.
   */
  readonly endAccess?: (advice: string | undefined) => Promise<void>;
}

/** Response statuses by which an upstream may refuse a credential. */
const REFUSALS = [401, 403];

/** Timeout of long-running calls in milliseconds. It slightly exceeds the longest time limit that an upstream has. */
export const LONG_RUNNING_MS = 330_000;
/**
 * Timeout of event streams, and of MCP requests through the proxy: one hour in milliseconds. Usually the caller or the
 * upstream closes the connection earlier.
 */
export const STREAM_MS = 3_600_000;
const TIMEOUT_MS = 120_000;
const UPLOAD_TIMEOUT_MS = 600_000;

const defaultTimeoutOf = ({ body }: OpenedBody): number =>
  body instanceof Readable ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS;

function lengthHeaders({ body, contentLength }: OpenedBody): string[] {
  const isKnown = body instanceof Readable && contentLength !== undefined;
  return isKnown ? ['content-length', String(contentLength)] : [];
}

/** Call whose destination is known and whose headers are checked. Its request body is not open yet. */
interface OutgoingCall {
  readonly account: ResolvedAccount;
  readonly connector: Connector;
  readonly request: ForwardRequest;
  readonly destination: Destination;
  readonly target: Target;
  /** Request headers, except those that carry the credential. */
  readonly headers: readonly string[];
  readonly trace: Trace;
  /** Sends one request, and reports its outcome to the circuit breaker. */
  readonly send: SendHttp;
}

interface SentOnce {
  readonly credential: Credential;
  readonly response: HttpResponse;
}

/** Sends the call once, with `secret` as its credential. */
async function sendOnce(
  { account, connector, request, destination, target, headers, send }: OutgoingCall,
  opened: OpenedBody,
  { secret }: Pick<Credential, 'secret'>,
): Promise<HttpResponse> {
  const given = { path: target.path, headers: headers.concat(lengthHeaders(opened)) };
  const outgoing = destination.host.inject(given, secret);
  return send({
    origin: target.origin,
    path: outgoing.path,
    headers: outgoing.headers,
    owner: account.applicationId,
    connector: connector.id,
    method: request.method,
    body: opened.body,
    totalMs: request.totalMs ?? defaultTimeoutOf(opened),
    idleMs: request.idleMs,
    headersMs: request.headersMs,
    streamMs: request.streamMs,
    signal: request.signal,
  });
}

/** Creates a lookup of connectors by id. Builds each connector's request functions once, in advance. */
export function createFindConnector(connectors: ForwardOptions['connectors']) {
  const compiled = new Map(
    [...connectors].map(([id, connector]) => [
      id,
      {
        connector,
        destinationOf: createFindDestination(connector),
        encodedSlashes: createEncodedSlashes(connector.encodedSlashes),
      },
    ]),
  );
  return function find(id: string) {
    const compiledConnector = compiled.get(id);
    if (compiledConnector) return compiledConnector;
    throw new ServiceError(
      'connector_not_found',
      `The connector "${id}" of this connection is no longer in the catalogue. Use another connection, or ask the operator of the service to add the connector again.`,
    );
  };
}

/**
 * Creates `forward`, which sends the requests of the proxy and of all tools to upstreams. Only two other files send
 * requests to upstreams: `download-signed.ts`, without a credential, and `send-verify-request.ts`.
 */
export function createForward({
  connectors,
  credentials,
  send,
  limiter,
  breaker,
  onAttempt,
}: ForwardOptions) {
  const findConnector = createFindConnector(connectors);
  const buildTarget = createBuildTarget();

  /**
   * Adds `endAccess` to a response whose status may mean that the upstream refused the main credential. A refused
   * secondary credential never ends the account's access.
   */
  function withEnd({ account }: OutgoingCall, { credential, response }: SentOnce): UpstreamResponse {
    if (!REFUSALS.includes(response.status) || credential.name !== undefined) return response;
    return { ...response, endAccess: (advice) => credentials.end(account, credential, advice) };
  }

  /**
   * Refreshes a credential that the upstream refused, and repeats the request once if its body can be sent again (rule
   * R10 in security-rules.md).
   */
  async function renewOnce(
    call: OutgoingCall,
    opened: OpenedBody,
    refused: SentOnce,
  ): Promise<UpstreamResponse> {
    const { account, trace } = call;
    const { response } = refused;
    const renewed = await credentials.renew(account, refused.credential).catch((error: unknown) => {
      response.body.destroy();
      throw error;
    });
    if (renewed === undefined) return withEnd(call, refused);
    trace.isRefreshed = true;
    if (opened.body instanceof Readable) return response;
    response.body.discard();
    const repeated = await sendOnce(call, opened, renewed);
    if (repeated.status === 401) credentials.notHelped(account, renewed);
    return repeated;
  }

  /** Sends the call with the account's credential, or with the secret in the request if it contains one. */
  async function sendWithCredential(call: OutgoingCall, opened: OpenedBody): Promise<UpstreamResponse> {
    const { account, request, trace } = call;
    if (request.credential !== undefined)
      return sendOnce(call, opened, { secret: secret(request.credential) });
    const name = call.destination.host.credential;
    const credential = credentials.cached(account, name) ?? (await credentials.current(account, name));
    if (credential.isRenewed) trace.isRefreshed = true;
    if (name === undefined) trace.isMainCredentialSent = true;
    const sent = { credential, response: await sendOnce(call, opened, credential) };
    return sent.response.status === 401 ? renewOnce(call, opened, sent) : withEnd(call, sent);
  }

  /**
   * Sends a request with the credential of the connected account: builds it, checks the circuit breaker, waits for a
   * slot of the limiter, opens the body, and sends. Resolves to the response, whatever its status is. Throws only
   * ServiceError.
   */
  async function forward(account: ResolvedAccount, request: ForwardRequest): Promise<UpstreamResponse> {
    const { connector, destinationOf, encodedSlashes } = findConnector(account.connector);
    const destination = destinationOf(account, request.host);
    const { path, query } = request;
    const target = buildTarget(destination.baseUrl, { path, query, encodedSlashes });
    const trace = request.trace ?? newTrace();
    const key = breakerKey(account, target.origin);
    const guard = { breaker, key, accountId: account.id, connector: connector.id, trace, onAttempt };
    const call: OutgoingCall = {
      account,
      connector,
      request,
      destination,
      target,
      headers: destination.host.headers(request.headers),
      trace,
      send: guardSend(send, guard),
    };
    breaker.check(key, account.id);
    const slot = limiter.acquire(account, request.signal);
    const release = slot instanceof Promise ? await traceWait(slot, trace) : slot;
    try {
      const opened: OpenedBody = request.openBody ? await request.openBody() : { body: request.body };
      const response = await sendWithCredential(call, opened);
      response.body.onClose(release);
      return response;
    } catch (error) {
      release();
      throw toFinal(error, connector);
    }
  }

  return forward;
}

import type { Connector, ParsedResponse } from '@svc/catalog';
import type { MemoryShare } from '../concurrency/body-memory.js';
import type { DemandScopes } from '../connections/demand-scopes.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { RETRY_ADVICE, ServiceError } from '../errors.js';
import type { Cancellation } from '../http/send-http.js';
import { findErrorRule } from '../upstream/error-rule.js';
import type { Forward } from '../upstream/forward.js';
import { ACCEPTED_ENCODINGS, readJson, readText } from '../upstream/read-json.js';
import type { Send, UpstreamRequest } from '../upstream/request.js';
import { toFinal } from '../upstream/to-final.js';
import type { Trace } from '../upstream/trace.js';
import { upstreamFailed } from '../upstream/upstream-failed.js';
import { type EncodedBody, encodeBody } from './encode-body.js';
import type { RetryWithBackoff } from './retry-with-backoff.js';

interface SendRequestParts {
  readonly forward: Forward;
  readonly retry: RetryWithBackoff;
  readonly demandScopes: DemandScopes;
  readonly now: () => Date;
}

export interface SendRequestContext {
  readonly account: ResolvedAccount;
  readonly connector: Connector;
  /** OAuth scopes of the tool, of which the account needs one. */
  readonly scopes: readonly string[];
  /**
   * True if the tool only reads. All its upstream requests then count as reads, whatever their HTTP method, so they can
   * be retried.
   */
  readonly isReadOnly: boolean;
  /** Timeout of one attempt of the upstream request, in milliseconds. If absent, `forward` uses its default timeout. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: Cancellation | undefined;
  readonly onStatus: (status: number) => void;
  readonly trace?: Trace | undefined;
  readonly holding: Pick<MemoryShare, 'take'>;
}

/**
 * Sends one request to the upstream. Resolves to its status, headers and parsed body; an empty body is `null`. Throws
 * the errors of `Send`.
 */
export type Exchange = (request: UpstreamRequest) => Promise<ParsedResponse>;

function queryOf(query: UpstreamRequest['query'] = {}): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    const items = Array.isArray(value) ? value : [value];
    for (const item of items)
      if (item !== undefined) pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(item)}`);
  }
  return pairs.join('&');
}

/** Content type of bytes for which the request names no type. */
const BYTES = 'application/octet-stream';
const OWN = { accept: 'application/json', 'accept-encoding': ACCEPTED_ENCODINGS };

const OWN_WITH_BODY = { ...OWN, 'content-type': 'application/json' };
const PLAIN = Object.entries(OWN).flat();
const PLAIN_WITH_BODY = Object.entries(OWN_WITH_BODY).flat();

function headersOf({ headers }: UpstreamRequest, body: EncodedBody | undefined): readonly string[] {
  const isJson = body?.contentType === OWN_WITH_BODY['content-type'];
  if (headers === undefined && body === undefined) return PLAIN;
  if (headers === undefined && isJson) return PLAIN_WITH_BODY;
  const own = body === undefined ? OWN : { ...OWN, 'content-type': body.contentType };
  return Object.entries({ ...own, ...headers }).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  );
}

export function createSendRequest({ forward, retry, demandScopes, now }: SendRequestParts) {
  async function sendOnce(request: UpstreamRequest, context: SendRequestContext): Promise<ParsedResponse> {
    const { account, connector, timeoutMs, signal, onStatus, trace, holding } = context;
    const attemptMs = request.timeoutMs ?? timeoutMs;
    const encoded = request.bytes ? { contentType: BYTES, bytes: request.bytes } : encodeBody(request);
    const response = await forward(account, {
      method: request.method,
      host: request.host,
      path: request.path,
      query: queryOf(request.query),
      headers: headersOf(request, encoded),
      body: encoded?.bytes,
      credential: request.credential,
      totalMs: attemptMs,
      idleMs: attemptMs,
      signal,
      trace,
    });
    const { status, headers } = response;
    onStatus(status);
    // Error responses of the upstream are parsed as JSON, even if the request expects text.
    const isText = request.response === 'text' && status < 300;
    const read = isText ? readText : readJson;
    const body = await read(response, request.method, holding).catch((error: unknown) => {
      throw toFinal(error, connector);
    });
    const rule = findErrorRule(connector.errors, status, body);
    if (rule?.endsCredential) await response.endAccess?.(rule.advice);
    if (rule?.demandsScope) await demandScopes(account, context.scopes);
    const isExpected = status < 300 || request.expects?.includes(status);
    if (!isExpected || rule) throw upstreamFailed({ status, headers, body }, { connector, now });
    if (typeof body === 'string' && !isText) {
      const message = `${connector.service} responded with a body that is not JSON. ${RETRY_ADVICE}`;
      throw new ServiceError('upstream_failed', message, { status, body });
    }
    return { status, body, headers };
  }

  /**
   * Sends one request of a tool with the credential of its connected account. Retries the request if a retry is safe.
   */
  function sendRequest(request: UpstreamRequest, context: SendRequestContext): Promise<ParsedResponse> {
    const { account, connector, isReadOnly, signal, trace } = context;
    const isRead = isReadOnly || request.isRead === true || ['GET', 'HEAD'].includes(request.method);
    const hasKey = request.idempotencyHeader !== undefined;
    return retry({ account, connector, isRead, hasKey, signal, trace }, () => sendOnce(request, context));
  }

  return sendRequest;
}

export type SendRequest = ReturnType<typeof createSendRequest>;

/** Creates the `send` function for handlers (tools written as code). It resolves to the parsed response body only. */
export function toSend(exchange: Exchange): Send {
  return async function send(request) {
    return (await exchange(request)).body;
  };
}

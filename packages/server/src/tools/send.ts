import type { Connector } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { findErrorRule } from '../upstream/error-rule.js';
import type { Forward, HttpResponse, ResolvedAccount } from '../upstream/forward.js';
import type { Send, UpstreamRequest } from '../upstream/request.js';
import { type RetryBudget, retryDelay } from '../upstream/retry.js';
import { parseRetryAfter } from '../upstream/retry-after.js';
import { ACCEPTED_ENCODINGS, readJson } from './read-json.js';

export interface SendParts {
  readonly forward: Forward;
  readonly budget: RetryBudget;
  readonly now: () => Date;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface SendContext {
  readonly account: ResolvedAccount;
  readonly connector: Connector;
  /** Every call of the tool is a read, whatever its method. */
  readonly isReadOnly: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onStatus: (status: number) => void;
}

function queryOf(query: UpstreamRequest['query'] = {}): string {
  return Object.entries(query)
    .flatMap(([name, value]) => [value ?? []].flat().map((item) => [name, String(item)]))
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
}

function headersOf({ headers = {}, body }: UpstreamRequest): string[] {
  const own = { accept: 'application/json', 'accept-encoding': ACCEPTED_ENCODINGS };
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  return Object.entries({ ...own, ...json, ...headers }).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  );
}

// Upstreams name it differently; an edge in front of them adds its own.
function requestIdOf(headers: HttpResponse['headers']): string | undefined {
  const name = Object.keys(headers).find((key) => /(^|-)request-?id$/.test(key)) ?? 'cf-ray';
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

function upstreamFailed(response: HttpResponse, body: unknown, { connector, now }: SendContext & SendParts) {
  const { status, headers } = response;
  const advice = findErrorRule(connector.errors, status, body)?.advice;
  const retryAfter = parseRetryAfter(headers['retry-after'], now());
  const requestId = requestIdOf(headers);
  return new ServiceError(
    'upstream_failed',
    [`${connector.title} answered ${status}.`, advice ?? []].flat().join(' '),
    {
      status,
      body,
      ...(retryAfter !== undefined && { retryAfter }),
      ...(requestId !== undefined && { requestId }),
      ...(advice !== undefined && { advice }),
    },
  );
}

async function sendOnce(request: UpstreamRequest, context: SendContext & SendParts): Promise<unknown> {
  const { forward, account, connector, signal, onStatus } = context;
  const response = await forward(account, {
    method: request.method,
    path: request.path,
    query: queryOf(request.query),
    headers: headersOf(request),
    body: request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body)),
    signal,
  });
  onStatus(response.status);
  const body = await readJson(response, request.method);
  if (response.status >= 300) throw upstreamFailed(response, body, context);
  if (typeof body === 'string') {
    throw new ServiceError('upstream_failed', `${connector.title} answered with a body that is not JSON.`, {
      status: response.status,
      body,
    });
  }
  return body;
}

function isRepeatable(error: ServiceError, isRead: boolean, connector: Connector): boolean {
  const { status, body, reason } = error.details ?? {};
  if (error.code === 'connection_failed') return isRead && (reason === 'refused' || reason === 'closed');
  if (error.code !== 'upstream_failed' || typeof status !== 'number') return false;
  const retry = findErrorRule(connector.errors, status, body)?.retry;
  return retry === 'any' || (retry === 'reads' && isRead);
}

function delayAfter(error: unknown, attempt: number, isRead: boolean, context: SendContext & SendParts) {
  const { account, budget, connector, random, signal } = context;
  if (signal?.aborted || !(error instanceof ServiceError) || !isRepeatable(error, isRead, connector))
    return undefined;
  const retryAfter = error.details?.['retryAfter'];
  const delay = retryDelay(attempt, typeof retryAfter === 'number' ? retryAfter : undefined, {
    retry: connector.retry,
    random,
  });
  return delay !== undefined && budget.take(account.connectionId) ? delay : undefined;
}

/** What a tool sends with: JSON both ways, repeated where the connector says that it is safe and of use. */
export const createToolSend =
  (parts: SendParts) =>
  (context: SendContext): Send =>
  async (request) => {
    const all = { ...parts, ...context };
    const isRead = context.isReadOnly || request.method === 'GET' || request.method === 'HEAD';
    parts.budget.countCall(context.account.connectionId);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await sendOnce(request, all);
      } catch (error) {
        const delay = delayAfter(error, attempt, isRead, all);
        if (delay === undefined) throw error;
        await parts.sleep(delay, context.signal);
      }
    }
  };

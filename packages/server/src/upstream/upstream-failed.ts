import { type Connector, cutText, isJsonObject } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { parseRetryAfter } from '../http/retry-after.js';
import { findErrorRule } from './error-rule.js';
import type { HttpResponse } from './forward.js';

export interface FailedAnswer extends Pick<HttpResponse, 'status' | 'headers'> {
  /** Parsed JSON, or text. */
  readonly body: unknown;
}

// Upstreams use different names; an edge in front of them adds its own.
function requestIdOf(headers: HttpResponse['headers']): string | undefined {
  const name = Object.keys(headers).find((key) => /(^|-)request-?id$/.test(key)) ?? 'cf-ray';
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

const MOST_WORDS = 300;

/** The message of an error that the upstream reports with a success status. */
function wordsIn(body: unknown, field: string | undefined): string {
  const words = field !== undefined && isJsonObject(body) ? body[field] : undefined;
  return typeof words === 'string' ? ` with ${field}: ${cutText(words, MOST_WORDS)}` : '';
}

/** The error for an upstream response that reports one, with the advice of the connector. */
export function upstreamFailed(
  { status, headers, body }: FailedAnswer,
  { connector, now }: { readonly connector: Connector; readonly now: () => Date },
): ServiceError {
  const rule = findErrorRule(connector.errors, status, body);
  const { advice } = rule ?? {};
  const retryAfter = parseRetryAfter(headers['retry-after'], now());
  const requestId = requestIdOf(headers);
  return new ServiceError(
    'upstream_failed',
    [`${connector.service} answered ${status}${wordsIn(body, rule?.present)}.`, advice ?? []]
      .flat()
      .join(' '),
    {
      status,
      body,
      ...(retryAfter !== undefined && { retryAfter }),
      ...(requestId !== undefined && { requestId }),
      ...(advice !== undefined && { advice }),
    },
  );
}

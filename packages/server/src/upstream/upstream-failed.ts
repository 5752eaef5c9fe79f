import { type Connector, isJsonObject } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { parseRetryAfter } from '../http/retry-after.js';
import { findErrorRule } from './error-rule.js';
import type { HttpResponse } from './forward.js';

export interface FailedAnswer extends Pick<HttpResponse, 'status' | 'headers'> {
  /** Parsed when it was JSON, else text. */
  readonly body: unknown;
}

// Upstreams name it differently; an edge in front of them adds its own.
function requestIdOf(headers: HttpResponse['headers']): string | undefined {
  const name = Object.keys(headers).find((key) => /(^|-)request-?id$/.test(key)) ?? 'cf-ray';
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

const MOST_WORDS = 300;

/** What a success that is none says of itself. */
function wordsIn(body: unknown, field: string | undefined): string {
  const words = field !== undefined && isJsonObject(body) ? body[field] : undefined;
  return typeof words === 'string' ? ` with ${field}: ${words.slice(0, MOST_WORDS)}` : '';
}

/** The error of an answer that says no, with what the connector advises. */
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
    [`${connector.title} answered ${status}${wordsIn(body, rule?.present)}.`, advice ?? []].flat().join(' '),
    {
      status,
      body,
      ...(retryAfter !== undefined && { retryAfter }),
      ...(requestId !== undefined && { requestId }),
      ...(advice !== undefined && { advice }),
    },
  );
}

import { type Connector, cutText, isJsonObject } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { parseRetryAfter } from '../http/retry-after.js';
import { findErrorRule } from './error-rule.js';
import type { HttpResponse } from './forward.js';

export interface FailedAnswer extends Pick<HttpResponse, 'status' | 'headers'> {
  /** Response body of the upstream: parsed JSON, or text. */
  readonly body: unknown;
}

// Finds the request id of a response. Its header has a different name at each upstream, and a CDN adds another one.
function requestIdOf(headers: HttpResponse['headers']): string | undefined {
  const name = Object.keys(headers).find((key) => /(^|-)request-?id$/.test(key)) ?? 'cf-ray';
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

const MOST_WORDS = 300;

/** Returns the error text in the response field that an error rule names; empty without such a rule. */
function wordsIn(body: unknown, field: string | undefined): string {
  const words = field !== undefined && isJsonObject(body) ? body[field] : undefined;
  return typeof words === 'string' ? ` with ${field}: ${cutText(words, MOST_WORDS)}` : '';
}

/** Creates the error `upstream_failed` for an upstream response, with the advice of the connector. */
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

import { type Connector, cutText, type ErrorRule, isJsonObject } from '@svc/catalog';
import { type RejectedReason, ServiceError } from '../errors.js';
import { parseRetryAfter } from '../http/retry-after.js';
import { printableLine } from '../text/printable.js';
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

// Names under which upstreams put the sentence of an error, or the object that has it.
const SENTENCE_FIELDS = ['message', 'error_description', 'detail', 'details', 'error', 'errors', 'title'];
const MOST_LEVELS = 4;

/** The upstream's own sentence about an error; `undefined` when the body has none. */
function sentenceIn(body: unknown, levels = MOST_LEVELS): string | undefined {
  if (typeof body === 'string') return sentenceOf(body);
  if (levels === 0) return undefined;
  if (Array.isArray(body)) return sentenceIn(body[0], levels - 1);
  if (!isJsonObject(body)) return undefined;
  for (const field of SENTENCE_FIELDS) {
    const sentence = Object.hasOwn(body, field) ? sentenceIn(body[field], levels - 1) : undefined;
    if (sentence !== undefined) return sentence;
  }
  return undefined;
}

/** The text in one line without its full stop; `undefined` for an empty one and for a page of HTML. */
function sentenceOf(text: string): string | undefined {
  const line = printableLine(cutText(text.trim(), MOST_WORDS)).replace(/\.$/, '');
  return line === '' || line.startsWith('<') ? undefined : line;
}

/** Returns the reason of a rejected call; `undefined` when the upstream itself failed. */
function rejectedReason(status: number, rule: ErrorRule | undefined): RejectedReason | undefined {
  if (status >= 500) return undefined;
  return rule?.rejectsInput ? 'input_rejected' : 'call_rejected';
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
  const reason = rejectedReason(status, rule);
  const sentence = sentenceIn(body);
  const said = sentence === undefined ? '' : `: ${sentence}`;
  return new ServiceError(
    'upstream_failed',
    [`${connector.service} answered ${status}${said}.`, advice ?? []].flat().join(' '),
    {
      status,
      body,
      ...(reason !== undefined && { reason }),
      ...(retryAfter !== undefined && { retryAfter }),
      ...(requestId !== undefined && { requestId }),
      ...(advice !== undefined && { advice }),
    },
  );
}

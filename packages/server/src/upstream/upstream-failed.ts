import { type Connector, cutText, type ErrorRule, isJsonObject } from '@svc/catalog';
import { RETRY_ADVICE, type RejectedReason, ServiceError } from '../errors.js';
import { parseRetryAfter } from '../http/retry-after.js';
import type { HttpResponse } from '../http/send-http.js';
import { readPointer } from '../text/json-pointer.js';
import { printableLine } from '../text/printable.js';
import { findErrorRule } from './error-rule.js';

export interface FailedResponse extends Pick<HttpResponse, 'status' | 'headers'> {
  /** Response body of the upstream, as parsed JSON or as text. */
  readonly body: unknown;
}

// Finds the upstream's request id in the response headers. The header's name differs between upstreams, and a CDN may
// add its own.
function requestIdOf(headers: HttpResponse['headers']): string | undefined {
  const name = Object.keys(headers).find((key) => /(^|-)request-?id$/.test(key)) ?? 'cf-ray';
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

const MAX_SENTENCE_CHARACTERS = 300;

// Names of the fields in which upstreams put an error message, or an object that contains the message.
const SENTENCE_FIELDS = ['message', 'error_description', 'detail', 'details', 'error', 'errors', 'title'];
const MAX_LEVELS = 4;

/** Finds the upstream's error message in a response body. Returns `undefined` if the body has none. */
function sentenceIn(body: unknown, most: number, levels = MAX_LEVELS): string | undefined {
  if (typeof body === 'string') return sentenceOf(body, most);
  if (levels === 0) return undefined;
  if (Array.isArray(body)) return sentenceIn(body[0], most, levels - 1);
  if (!isJsonObject(body)) return undefined;
  for (const field of SENTENCE_FIELDS) {
    const sentence = Object.hasOwn(body, field) ? sentenceIn(body[field], most, levels - 1) : undefined;
    if (sentence !== undefined) return sentence;
  }
  return undefined;
}

/**
 * Finds the upstream's error message at the JSON pointers that the connector declares. If there is no text, searches
 * the usual fields. `most`: maximum number of characters.
 */
export function declaredSentenceIn(
  body: unknown,
  pointers: readonly string[] = [],
  most = MAX_SENTENCE_CHARACTERS,
): string | undefined {
  for (const pointer of pointers) {
    const sentence = sentenceIn(readPointer(body, pointer), most);
    if (sentence !== undefined) return sentence;
  }
  return sentenceIn(body, most);
}

/**
 * Converts an error message to one line without its full stop, for quoting it. Returns `undefined` for an empty text
 * and for an HTML page.
 */
function sentenceOf(text: string, most: number): string | undefined {
  const line = printableLine(cutText(text.trim(), most)).replace(/\.$/, '');
  return line === '' || line.startsWith('<') ? undefined : line;
}

/**
 * Returns the reason why the upstream rejected a call. Returns `undefined` if the upstream itself failed (status 5xx).
 */
function rejectedReason(status: number, rule: ErrorRule | undefined): RejectedReason | undefined {
  if (status >= 500) return undefined;
  return rule?.rejectsInput ? 'input_rejected' : 'call_rejected';
}

const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Returns advice for a failed call if the connector has no advice for it. `sentence`: error message of the upstream.
 */
function generalAdvice(status: number, sentence: string | undefined): string {
  if (status === 429) return 'Retry later.';
  if (status >= 500) return RETRY_ADVICE;
  if (REDIRECTS.includes(status))
    return 'The service does not follow this redirect. Check whether `baseUrl` of the connection is the final URL of the upstream.';
  return sentence === undefined
    ? 'Check the input and the permissions of the account at the upstream.'
    : 'If this message names a mistake, correct it. Otherwise check the input and the permissions of the account at the upstream.';
}

/**
 * Creates the error `upstream_failed` for an upstream's response. The message ends with the advice of the connector's
 * matching error rule, or with general advice.
 */
export function upstreamFailed(
  { status, headers, body }: FailedResponse,
  { connector, now }: { readonly connector: Connector; readonly now: () => Date },
): ServiceError {
  const rule = findErrorRule(connector.errors, status, body);
  const { advice } = rule ?? {};
  const retryAfter = parseRetryAfter(headers['retry-after'], now());
  const requestId = requestIdOf(headers);
  const reason = rejectedReason(status, rule);
  const sentence = declaredSentenceIn(body, connector.errorText);
  const said = sentence === undefined ? '' : `: "${sentence}"`;
  const next = advice ?? generalAdvice(status, sentence);
  return new ServiceError(
    'upstream_failed',
    `${connector.service} responded with ${status}${said}. ${next}`,
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

import { cutText } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { HttpResponse } from '../http/send-http.js';

export interface HeaderRules {
  /** Headers that are added to a request if the caller does not send them. */
  readonly defaults: Readonly<Record<string, string>>;
  /**
   * Lower-case names of the headers that carry the connector's credentials. Values that the caller sends in these
   * headers are dropped.
   */
  readonly keyHeaders: readonly string[];
  /**
   * Name of the header by which the upstream lets a request override its HTTP method. Absent if there is no such
   * header.
   */
  readonly methodOverride?: string | undefined;
}

// Default User-Agent. Some upstreams refuse requests that have no User-Agent.
const USER_AGENT: readonly [string, string] = ['user-agent', 'svc-server'];

// Request headers that the service drops if a caller sends them (rule P5 in security-rules.md), such as hop-by-hop
// headers (RFC 9110, section 7.6.1). Callers must not control message framing, routing or credentials. Upstreams must
// not learn the caller's trace.
const NEVER_SENT = new Set([
  'authorization',
  'baggage',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'svc-account',
  'svc-links',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-url',
  'x-real-ip',
  'x-rewrite-url',
]);
const NEVER_SENT_PREFIX = /^(?:proxy-|x-forwarded-)/;

// Response headers of an upstream that the service drops (rule P8 in security-rules.md). A browser would apply some of
// them, such as cookies, to the service's own origin.
const NEVER_RETURNED = new Set([
  'accept-ch',
  'activate-storage-access',
  'alt-svc',
  'clear-site-data',
  'connection',
  'critical-ch',
  'expect-ct',
  'feature-policy',
  'idempotent-replayed',
  'keep-alive',
  'nel',
  'observe-browsing-topics',
  'origin-agent-cluster',
  'origin-trial',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'set-cookie',
  'set-cookie2',
  'set-login',
  'speculation-rules',
  'strict-transport-security',
  'supports-loading-mode',
  'te',
  'timing-allow-origin',
  'traceparent',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'use-as-dictionary',
  'x-content-type-options',
]);
// Prefixes of response headers that the service drops. One regular expression tests all of them faster than a loop.
const NEVER_RETURNED_PREFIX = new RegExp(
  `^(?:${[
    'access-control-',
    'attribution-reporting-',
    'content-security-policy',
    'cross-origin-',
    'document-policy',
    'permissions-policy',
    'proxy-',
    'public-key-pins',
    'sec-',
    'secure-session-',
    'svc-',
    // Drops the headers below, because a reverse proxy in front of the service would obey them and return another file
    // or URL.
    'x-accel-',
    'x-litespeed-',
    'x-lighttpd-',
    'x-reproxy-',
    'x-sendfile',
  ].join('|')})`,
);
const isNeverReturned = (name: string): boolean =>
  NEVER_RETURNED.has(name) || NEVER_RETURNED_PREFIX.test(name);
const SANDBOX = "default-src 'none'; sandbox";

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const NOT_IN_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

const NONE: readonly string[] = [];
/** Splits a comma-separated list of header names, and converts the names to lower case. */
export const namesIn = (value: string): string[] => value.split(',').map((name) => name.trim().toLowerCase());

function assertHeader(name: string, value: string): void {
  if (PROTOTYPE_KEYS.has(name))
    throw new ServiceError('invalid_request', `The header name "${name}" is reserved. Omit the header.`);
  if (!TOKEN.test(name)) {
    throw new ServiceError(
      'invalid_request',
      `The header name ${JSON.stringify(cutText(name, 100))} contains characters that are not allowed. Rename or omit the header.`,
    );
  }
  if (NOT_IN_A_VALUE.test(value)) {
    throw new ServiceError(
      'invalid_request',
      `The value of the header "${name}" contains characters that are not allowed. Remove them.`,
    );
  }
}

function connectionHeaders(raw: readonly string[]): readonly string[] {
  let names = NONE;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const isConnection = name.length === 10 && name.toLowerCase() === 'connection';
    if (isConnection) names = [...names, ...namesIn(raw[index + 1] ?? '')];
  }
  return names;
}

/**
 * Creates the function that builds the headers of an upstream request, without credentials. It removes the caller's
 * forbidden headers, and adds defaults that are missing. Input and output are alternating names and values.
 */
export function createRequestHeaders({ defaults, keyHeaders, methodOverride }: HeaderRules) {
  const override = methodOverride?.toLowerCase();
  const added = [...Object.entries(defaults), USER_AGENT].map(
    ([name, value]) => [name.toLowerCase(), name, value] as const,
  );
  return function requestHeaders(raw: readonly string[]): string[] {
    const dropped = [...keyHeaders, ...connectionHeaders(raw)];
    const isListed = (name: string) =>
      NEVER_SENT.has(name) || NEVER_SENT_PREFIX.test(name) || dropped.includes(name);
    // Compares header names with "_" like names with "-", because some servers do not distinguish the two.
    const isDropped = (name: string) =>
      (isListed(name) && name !== override) || (name.includes('_') && isListed(name.replaceAll('_', '-')));
    const sent: string[] = [];
    const given: string[] = [];
    for (let index = 0; index < raw.length; index += 2) {
      const name = raw[index] ?? '';
      const value = raw[index + 1] ?? '';
      const lowerCase = name.toLowerCase();
      assertHeader(lowerCase, value);
      if (isDropped(lowerCase)) continue;
      given.push(lowerCase);
      sent.push(name, value);
    }
    for (const [lowerCase, name, value] of added) {
      if (given.includes(lowerCase) || isDropped(lowerCase)) continue;
      given.push(lowerCase);
      sent.push(name, value);
    }
    return sent;
  };
}

/**
 * Selects the headers of an upstream response that the service returns to the caller. Headers that are unsafe in a
 * browser are removed.
 */
export function responseHeaders(upstream: HttpResponse['headers']): Record<string, string | string[]> {
  const dropped = upstream['connection'] === undefined ? NONE : namesIn(String(upstream['connection']));
  const allowed: Record<string, string | string[]> = {};
  for (const name of Object.keys(upstream)) {
    const value = upstream[name];
    if (value === undefined || isNeverReturned(name) || dropped.includes(name)) continue;
    allowed[name] = value;
  }
  allowed['content-security-policy'] = SANDBOX;
  allowed['x-content-type-options'] = 'nosniff';
  return allowed;
}

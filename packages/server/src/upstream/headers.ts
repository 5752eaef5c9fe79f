import { ServiceError } from '../errors.js';
import type { HttpResponse } from '../http/send.js';

export interface HeaderRules {
  /** Sent when the caller gives none of that name. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Headers that stand for credentials of the connector, in lower case. */
  readonly keyHeaders: readonly string[];
}

// Some upstreams refuse a request that names no agent.
const USER_AGENT: readonly [string, string] = ['user-agent', 'svc-server'];

// Rule P5. What frames a message, names its way, or stands for credentials is the service's own to say.
const NEVER_SENT = new Set([
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
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

// Rule P8, and what would speak for the service instead of the upstream: a browser takes it as said by our origin.
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
  'trailer',
  'transfer-encoding',
  'upgrade',
  'use-as-dictionary',
  'x-content-type-options',
]);
const NEVER_RETURNED_PREFIXES = [
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
];
const isNeverReturned = (name: string): boolean =>
  NEVER_RETURNED.has(name) || NEVER_RETURNED_PREFIXES.some((prefix) => name.startsWith(prefix));
const SANDBOX = "default-src 'none'; sandbox";

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const NOT_OF_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

const namesIn = (value: string): string[] => value.split(',').map((name) => name.trim().toLowerCase());

function assertHeader(name: string, value: string): void {
  if (!TOKEN.test(name) || PROTOTYPE_KEYS.has(name)) {
    throw new ServiceError('invalid_request', 'The name of a header is not a valid token.');
  }
  if (NOT_OF_A_VALUE.test(value)) {
    throw new ServiceError(
      'invalid_request',
      `The value of the header "${name}" holds characters that may not be sent.`,
    );
  }
}

function namedByConnection(raw: readonly string[]): string[] {
  const names: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    if (raw[index]?.toLowerCase() === 'connection') names.push(...namesIn(raw[index + 1] ?? ''));
  }
  return names;
}

/**
 * The headers of a request without credentials: the caller's that may be sent, then the defaults for what the caller
 * leaves out. `raw` and the result hold names and values in turn.
 */
export function requestHeaders(raw: readonly string[], { defaults, keyHeaders }: HeaderRules): string[] {
  const dropped = [...keyHeaders, ...namedByConnection(raw)];
  const isDropped = (name: string) =>
    NEVER_SENT.has(name) || NEVER_SENT_PREFIX.test(name) || dropped.includes(name);
  const sent: string[] = [];
  const given = new Set<string>();
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    const lowerCase = name.toLowerCase();
    assertHeader(lowerCase, value);
    if (isDropped(lowerCase)) continue;
    given.add(lowerCase);
    sent.push(name, value);
  }
  for (const [name, value] of [...Object.entries(defaults), USER_AGENT]) {
    const lowerCase = name.toLowerCase();
    if (given.has(lowerCase) || isDropped(lowerCase)) continue;
    given.add(lowerCase);
    sent.push(name, value);
  }
  return sent;
}

/** The headers of an upstream answer that the caller may see, made harmless for a browser. */
export function responseHeaders(answered: HttpResponse['headers']): Record<string, string | string[]> {
  const dropped = answered['connection'] === undefined ? [] : namesIn(String(answered['connection']));
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(answered)) {
    if (value === undefined || isNeverReturned(name)) continue;
    if (dropped.includes(name)) continue;
    kept[name] = value;
  }
  kept['content-security-policy'] = SANDBOX;
  kept['x-content-type-options'] = 'nosniff';
  return kept;
}

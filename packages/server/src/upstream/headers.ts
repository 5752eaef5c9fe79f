import { ServiceError } from '../errors.js';
import type { HttpResponse } from '../http/send.js';

export interface HeaderRules {
  /** Sent when the caller gives none of that name. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Headers that stand for credentials of the connector, in lower case. */
  readonly keyHeaders: readonly string[];
  /** The header that names another method, where the upstream hears it. */
  readonly methodOverride?: string | undefined;
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
  'svc-links',
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
// As one pattern they are looked for together.
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
    // By these a web server in front of the service would answer with a file or an address of its own.
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
const NOT_OF_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

const NONE: readonly string[] = [];
/** The names in a list of them, in lower case. */
export const namesIn = (value: string): string[] => value.split(',').map((name) => name.trim().toLowerCase());

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

function namedByConnection(raw: readonly string[]): readonly string[] {
  let names = NONE;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const isConnection = name.length === 10 && name.toLowerCase() === 'connection';
    if (isConnection) names = [...names, ...namesIn(raw[index + 1] ?? '')];
  }
  return names;
}

/**
 * What makes the headers of a request, but for its credentials, out of the caller's: those that may be sent, then the
 * defaults for what the caller leaves out. Takes and gives names and values in turn.
 */
export function createRequestHeaders({ defaults, keyHeaders, methodOverride }: HeaderRules) {
  const override = methodOverride?.toLowerCase();
  const added = [...Object.entries(defaults), USER_AGENT].map(
    ([name, value]) => [name.toLowerCase(), name, value] as const,
  );
  return (raw: readonly string[]): string[] => {
    const dropped = [...keyHeaders, ...namedByConnection(raw)];
    const isNamed = (name: string) =>
      NEVER_SENT.has(name) || NEVER_SENT_PREFIX.test(name) || dropped.includes(name);
    // Some servers read "_" in a name as "-".
    const isDropped = (name: string) =>
      (isNamed(name) && name !== override) || (name.includes('_') && isNamed(name.replaceAll('_', '-')));
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

/** The headers of an upstream answer that the caller may see, made harmless for a browser. */
export function responseHeaders(answered: HttpResponse['headers']): Record<string, string | string[]> {
  const dropped = answered['connection'] === undefined ? NONE : namesIn(String(answered['connection']));
  const kept: Record<string, string | string[]> = {};
  for (const name of Object.keys(answered)) {
    const value = answered[name];
    if (value === undefined || isNeverReturned(name) || dropped.includes(name)) continue;
    kept[name] = value;
  }
  kept['content-security-policy'] = SANDBOX;
  kept['x-content-type-options'] = 'nosniff';
  return kept;
}

import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '../errors.js';
import type { AllowedOrigin } from '../names/allowed-origins.js';
import { readPostgresUrl } from '../text/postgres-url.js';
import { withoutLastSlashes } from '../text/without-last-slashes.js';

// Functions that check the text of one setting and convert it. Each throws an error that names the setting.

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'];

export function refuse(message: string): never {
  throw new ServiceError('invalid_request', message);
}

const FILE = 'file:';

/**
 * Resolves a value `file:/path` to the content of the file, without a line break at its end. Returns any other value
 * unchanged.
 */
export function readSecret(name: string, value: string | undefined): string | undefined {
  if (!value?.startsWith(FILE)) return value;
  try {
    return readFileSync(value.slice(FILE.length), 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new ServiceError(
      'invalid_request',
      `${name} is "${value}", but this file cannot be read. Set it to a file that the service may read.`,
      undefined,
      { cause: error },
    );
  }
}

// Port 0 is refused, because the operating system would choose a random port and clients would not know the URL.
export function port(name: string, value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= 1 && number <= 65535) return number;
  return refuse(`${name} is "${value}". Set it to a port between 1 and 65535.`);
}

interface CountOptions {
  /** Unit of the number in the plural, for the error message. */
  readonly unit: string;
  /** Default: 1. */
  readonly least?: number;
  readonly most?: number;
}

export function count(name: string, value: string, options: CountOptions): number {
  const { unit, least = 1, most = 999_999_999 } = options;
  const number = Number(value);
  if (/^\d{1,9}$/.test(value) && number >= least && number <= most) return number;
  return refuse(`${name} is "${value}". Set it to a whole number of ${unit} from ${least} to ${most}.`);
}

const MAX_DAYS = 36_500;

export const days = (name: string, value: string, least: number): number =>
  count(name, value, { unit: 'days', least, most: MAX_DAYS });

const isWebUrl = (value: string): boolean => /^https?:$/.test(URL.parse(value)?.protocol ?? '');

function url(name: string, value: string): string {
  if (isWebUrl(value)) return withoutLastSlashes(value);
  const shown = value.replace(/\/\/[^/]*@/, '//');
  return refuse(`${name} is "${shown}". Set it to an absolute URL such as https://connect.example.com.`);
}

// Normalizes the URL, because the service compares it as text and must show and send it in one spelling.
export function ownUrl(name: string, given: string): string {
  const { origin, pathname, username, password, search, hash } = new URL(url(name, given));
  const own = origin + withoutLastSlashes(pathname.replaceAll(/\/{2,}/g, '/'));
  if (`${username}${password}${search}${hash}` === '') return own;
  // Names only the allowed part of the URL, because the message must not contain the password.
  return refuse(`${name} has a user name, password, query or fragment. Set it to ${own}.`);
}

export function databaseUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (readPostgresUrl(value)) return value;
  return refuse(
    'DATABASE_URL is not a PostgreSQL URL. Set it to one such as postgres://user:password@host:5432/svc.',
  );
}

// Validates the URL of a client metadata document. Authorization servers only accept https URLs with a path for it.
export function documentUrl(name: string, value: string | undefined): string | undefined {
  if (value === undefined || value === 'none') return value;
  const isDocument = /^https:\/\/[^/?#@]+\/[^?#]+$/.test(value) && URL.canParse(value);
  return isDocument
    ? value
    : refuse(`${name} is "${value}". Set it to an https URL with a path, or to "none".`);
}

export function list(value: string | undefined): string[] {
  return (value ?? '').split(',').flatMap((part) => part.trim() || []);
}

// Parses `connector=origin`. Each origin is allowed for one connector only, so that other connectors cannot call an
// internal origin.
export function allowedOrigin(value: string): AllowedOrigin {
  const [, connector, origin] = /^([^=:/]+)=(.+)$/.exec(value) ?? [];
  if (connector !== undefined && origin !== undefined && isWebUrl(origin))
    return { connector, origin: new URL(origin).origin };
  return refuse(
    `SVC_ALLOWED_ORIGINS contains "${value}". Write each entry as connector=origin, such as calendar=http://localhost:9000.`,
  );
}

export function network(value: string): string {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(value) || ipaddr.IPv6.isValid(value);
  const isNetwork = ipaddr.isValidCIDR(value) && ipaddr.parseCIDR(value)[1] > 0;
  if (isAddress || isNetwork) return value;
  return refuse(
    `SVC_TRUSTED_PROXIES contains "${value}". List only IP addresses or networks such as 10.0.0.0/8, not all addresses (/0).`,
  );
}

// The error does not contain the value, because a proxy URL may contain a password.
export function egressProxy(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`);
  if (url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '') return url.href;
  return refuse(
    `${name} is not the URL of an HTTP proxy. Set it to one such as http://proxy.example.com:3128.`,
  );
}

export function isOn(name: string, value: string): boolean {
  if (value === '1' || value === '0') return value === '1';
  return refuse(`${name} is "${value}". Set it to 1 or 0.`);
}

export function logLevel(value: string): string {
  if (LOG_LEVELS.includes(value)) return value;
  return refuse(`SVC_LOG_LEVEL is "${value}". Set it to one of ${LOG_LEVELS.join(', ')}.`);
}

interface PlainText {
  /** Minimum length. */
  readonly shortest: number;
  /** Consequence of a missing setting, at the end of an error message. */
  readonly without?: string;
}

/** Validates a secret or an id that the operator chose. */
export function plainText(
  name: string,
  value: string | undefined,
  { shortest, without = '' }: PlainText,
): string | undefined {
  const isPlain = value === undefined || (/^[\x21-\x7e]+$/.test(value) && value.length <= 256);
  if (isPlain && (value?.length ?? shortest) >= shortest) return value;
  return refuse(
    `${name} must have ${shortest} to 256 visible ASCII characters. Change it, or omit it${without}.`,
  );
}

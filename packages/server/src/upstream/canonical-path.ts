import { ServiceError } from '../errors.js';
import { withDecodedSlashes } from '../text/with-decoded-slashes.js';
import type { EncodedSlashes } from './encoded-slashes.js';

// A path of these characters passes all checks below and needs no encoding, which is the case for most requests.
const PLAIN = /^(?:\/[\w~:@=,+-][\w~:@=,+.-]*)+\/?$/;
const PLAIN_QUERY = /^[\x21\x22\x24-\x7e]*$/;

/** Checks that every reader takes a path for the same path. */
export const isPlainPath = (path: string): boolean => PLAIN.test(path);

const ESCAPED_ASCII = /%([0-7][0-9a-f])/gi;

/** Decodes escapes of ASCII alone, as a lenient reader does: strict decoding gives up at one escape that is no UTF-8. */
export const decodeAscii = (text: string): string =>
  text.replace(ESCAPED_ASCII, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

type Check = readonly [refuses: (path: string) => boolean, reason: string];

// A segment ends at a separator, at the end, or at ";", where some servers cut off parameters.
const DOT_SEGMENT = /(?:^|[/\\])\.{1,2}(?=$|[/\\;])/;
const DECODING_ROUNDS = 3;

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

// Only ASCII can form or end a dot segment. Strict decoding would give up at "%25zz", where a lenient server goes on.
function hasDotSegment(path: string): boolean {
  let decoded = path;
  for (let round = 0; round <= DECODING_ROUNDS; round += 1) {
    if (DOT_SEGMENT.test(decoded)) return true;
    if (!decoded.includes('%')) return false;
    decoded = decodeAscii(decoded);
  }
  return false;
}

const ENCODED_SEPARATOR: Check = [(path) => /%2f|%5c/i.test(path), 'holds an encoded slash or backslash'];
const CHECKS: readonly Check[] = [
  [(path) => !path.startsWith('/'), 'does not start with "/"'],
  [(path) => path.includes('\\'), 'holds a backslash'],
  [(path) => path.includes('#'), 'holds "#"; write %23'],
  [(path) => path.includes('?'), 'holds "?"; write %3F'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
  [(path) => /[\u0000-\u001f\u007f]|%[01][0-9a-f]|%7f/i.test(path), 'holds a control character'],
  [(path) => !path.isWellFormed(), 'is not valid Unicode'],
  [(path) => !isDecodable(path), 'holds a "%" that begins no escape of UTF-8; write %25'],
  [(path) => path.includes('//'), 'holds an empty segment'],
  [hasDotSegment, 'holds "." or ".." as a segment'],
];

// Characters that RFC 3986 does not allow in a path. "%" begins an escape here, and escapes stay as they are.
const NOT_OF_A_PATH = /[^!$&'()*+,\-./0-9:;=@A-Z_a-z~%]/gu;

/**
 * The path as it is sent (rules P1 to P3). Refuses a path that any server could read as another one, except for encoded slashes where the connector
 * allows them. Changes nothing else, except that invalid characters are encoded once.
 */
export function canonicalPath(path: string, encodedSlashes?: EncodedSlashes): string {
  if (isPlainPath(path)) return path;
  const masked = encodedSlashes?.(path) ?? path;
  // Both readings must pass: the one of a server that decodes slashes, and the one of a server that does not.
  const readings = masked === path ? [path] : [path, withDecodedSlashes(path)];
  const broken =
    CHECKS.find(([refuses]) => readings.some(refuses)) ??
    (ENCODED_SEPARATOR[0](masked) ? ENCODED_SEPARATOR : undefined);
  if (broken) throw new ServiceError('invalid_request', `The upstream path ${broken[1]}.`);
  return path.replace(NOT_OF_A_PATH, encodeURIComponent);
}

/** The query as it is sent. Values may contain anything, escapes included, except characters that would end the query. */
export function canonicalQuery(query: string): string {
  if (PLAIN_QUERY.test(query)) return query;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
  if (/[\u0000-\u001f\u007f#]/.test(query) || !query.isWellFormed()) {
    throw new ServiceError(
      'invalid_request',
      'The query contains "#", a control character or invalid Unicode. Percent-encode it.',
    );
  }
  return query.replace(/[^\u0021-\u007e]/gu, encodeURIComponent);
}

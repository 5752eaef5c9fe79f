import { ServiceError } from '../errors.js';
import { withDecodedSlashes } from '../text/with-decoded-slashes.js';
import type { EncodedSlashes } from './encoded-slashes.js';

// Matches a path that passes all checks below and needs no encoding. Most paths match, so this test saves time.
const PLAIN = /^(?:\/[\w~:@=,+-][\w~:@=,+.-]*)+\/?$/;
const PLAIN_QUERY = /^[\x21\x22\x24-\x7e]*$/;

/**
 * Returns true if every server interprets the path in the same way, because it contains no escapes and nothing that a
 * server could normalize.
 */
export const isPlainPath = (path: string): boolean => PLAIN.test(path);

const ESCAPED_ASCII = /%([0-7][0-9a-f])/gi;

/**
 * Decodes percent-escapes of ASCII characters only, as a lenient server does. `decodeURIComponent` would throw at the
 * first escape that is not UTF-8.
 */
export const decodeAscii = (text: string): string =>
  text.replace(ESCAPED_ASCII, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

type Check = readonly [refuses: (path: string) => boolean, reason: string];

// Matches a "." or ".." segment. A segment ends at a slash, a backslash or the end of the path. It also ends at ";",
// because some servers remove parameters after it.
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

// Returns true if the path contains "." or ".." segments after up to three rounds of decoding. Decodes only ASCII,
// because `decodeURIComponent` throws at "%25zz" but lenient servers accept it.
function hasDotSegment(path: string): boolean {
  let decoded = path;
  for (let round = 0; round <= DECODING_ROUNDS; round += 1) {
    if (DOT_SEGMENT.test(decoded)) return true;
    if (!decoded.includes('%')) return false;
    decoded = decodeAscii(decoded);
  }
  return false;
}

const ENCODED_SEPARATOR: Check = [
  (path) => /%2f|%5c/i.test(path),
  'contains an encoded slash or backslash; remove it',
];
const HALF_A_PAIR = 'contains half of a surrogate pair, which is not valid Unicode; remove it';
const CHECKS: readonly Check[] = [
  [(path) => !path.startsWith('/'), 'does not start with "/"; add it'],
  [(path) => path.includes('\\'), 'contains a backslash; remove it'],
  [(path) => path.includes('#'), 'contains "#"; write %23'],
  [(path) => path.includes('?'), 'contains "?"; write %3F'],
  [
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
    (path) => /[\u0000-\u001f\u007f]|%[01][0-9a-f]|%7f/i.test(path),
    'contains a control character; remove it',
  ],
  [(path) => !path.isWellFormed(), HALF_A_PAIR],
  [
    (path) => !isDecodable(path),
    'contains a "%" that begins no valid percent-encoding of UTF-8; write a literal "%" as %25',
  ],
  [(path) => path.includes('//'), 'contains an empty segment; remove the extra slash'],
  [hasDotSegment, 'contains the segment "." or ".."; remove it'],
];

// Characters that RFC 3986 does not allow in a path, so they must be encoded. "%" is excluded, because existing escapes
// must not change.
const NOT_OF_A_PATH = /[^!$&'()*+,\-./0-9:;=@A-Z_a-z~%]/gu;

/**
 * Returns the path in the form in which it is sent upstream (rules P1 to P3 in security-rules.md). Encodes invalid
 * characters once. Throws `invalid_request` for a path that some server could interpret as another path. Encoded
 * slashes are refused too, unless the connector allows them.
 */
export function canonicalPath(path: string, encodedSlashes?: EncodedSlashes): string {
  if (isPlainPath(path)) return path;
  const masked = encodedSlashes?.(path) ?? path;
  // Checks a path with encoded slashes twice, as it is and with decoded slashes, because servers differ in how they
  // treat them.
  const readings = masked === path ? [path] : [path, withDecodedSlashes(path)];
  const broken =
    CHECKS.find(([refuses]) => readings.some(refuses)) ??
    (ENCODED_SEPARATOR[0](masked) ? ENCODED_SEPARATOR : undefined);
  if (broken) throw new ServiceError('invalid_request', `The upstream path ${broken[1]}.`);
  return path.replace(NOT_OF_A_PATH, encodeURIComponent);
}

const QUERY_CHECKS: readonly Check[] = [
  [(query) => query.includes('#'), 'contains "#"; write %23'],
  [
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
    (query) => /[\u0000-\u001f\u007f]/.test(query),
    'contains a control character; remove or percent-encode it',
  ],
  [(query) => !query.isWellFormed(), HALF_A_PAIR],
];

/**
 * Returns the query in the form in which it is sent upstream. Existing escapes are kept. Throws `invalid_request` for
 * control characters and "#", which would end the query.
 */
export function canonicalQuery(query: string): string {
  if (PLAIN_QUERY.test(query)) return query;
  const broken = QUERY_CHECKS.find(([refuses]) => refuses(query));
  if (broken) throw new ServiceError('invalid_request', `The query of the request ${broken[1]}.`);
  return query.replace(/[^\u0021-\u007e]/gu, encodeURIComponent);
}

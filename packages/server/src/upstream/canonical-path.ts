import { ServiceError } from '../errors.js';
import { decodeAscii } from './decode-ascii.js';

// A path of nothing but these is refused by no check below and written as it is: most requests are done with one look.
const PLAIN = /^(?:\/[\w~:@=,+-][\w~:@=,+.-]*)+\/?$/;
const PLAIN_QUERY = /^[\x21\x22\x24-\x7e]*$/;

/** Whether a path holds nothing that any reader could take for something else than itself. */
export const isPlainPath = (path: string): boolean => PLAIN.test(path);

type Check = readonly [refuses: (path: string) => boolean, reason: string];

// Between a separator and the end, another separator, or the parameters that some servers cut off at ";".
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

// ASCII alone can make or end a dot segment. Strict decoding would stop at text such as "%25zz", a lenient server would not.
function hasDotSegment(path: string): boolean {
  let decoded = path;
  for (let round = 0; round <= DECODING_ROUNDS; round += 1) {
    if (DOT_SEGMENT.test(decoded)) return true;
    if (!decoded.includes('%')) return false;
    decoded = decodeAscii(decoded);
  }
  return false;
}

const CHECKS: readonly Check[] = [
  [(path) => !path.startsWith('/'), 'does not start with "/"'],
  [(path) => path.includes('\\'), 'holds a backslash'],
  [(path) => path.includes('#'), 'holds "#"; write %23'],
  [(path) => path.includes('?'), 'holds "?"; write %3F'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  [(path) => /[\u0000-\u001f\u007f]|%[01][0-9a-f]|%7f/i.test(path), 'holds a control character'],
  [(path) => !path.isWellFormed(), 'is not valid Unicode'],
  [(path) => !isDecodable(path), 'holds a "%" that begins no escape of UTF-8; write %25'],
  [(path) => /%2f|%5c/i.test(path), 'holds an encoded slash or backslash'],
  [(path) => path.includes('//'), 'holds an empty segment'],
  [hasDotSegment, 'holds "." or ".." as a segment'],
];

// Everything that RFC 3986 does not let stand in a path. A "%" begins an escape here, and escapes are kept as they are.
const NOT_OF_A_PATH = /[^!$&'()*+,\-./0-9:;=@A-Z_a-z~%]/gu;

/**
 * The path as it goes on the wire (rules P1 to P3): refused when any server could read it as another path,
 * else kept byte for byte, with what cannot stand in a path encoded once.
 */
export function canonicalPath(path: string): string {
  if (isPlainPath(path)) return path;
  const broken = CHECKS.find(([refuses]) => refuses(path));
  if (broken) throw new ServiceError('invalid_request', `The upstream path ${broken[1]}.`);
  return path.replace(NOT_OF_A_PATH, encodeURIComponent);
}

/** The query as it goes on the wire: values may hold anything, escapes included, but what would end it. */
export function canonicalQuery(query: string): string {
  if (PLAIN_QUERY.test(query)) return query;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f#]/.test(query) || !query.isWellFormed()) {
    throw new ServiceError(
      'invalid_request',
      'The query holds "#", a control character or invalid Unicode; percent-encode it.',
    );
  }
  return query.replace(/[^\u0021-\u007e]/gu, encodeURIComponent);
}

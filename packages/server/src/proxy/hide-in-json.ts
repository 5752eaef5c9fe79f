import type { Edit } from '../http/edit.js';
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from '../text/json-bytes.js';
import { COVER, COVER_NAME, HIDDEN_NAME, NOTHING } from './hide-in-parts.js';

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === LF || byte === 0x0d;
const LF = 0x0a;

/**
 * Nesting depths in a JSON batch body, whose `requests[]` contains several HTTP requests. Members of
 * `requests[].headers` have depth 4, and members of `requests[]` have depth 3.
 */
const IN_HEADERS = 4;
const IN_REQUEST = 3;
/**
 * Maximum size in bytes of the longest member name to find, if each of its characters is written as a `\u` escape of 6
 * bytes.
 */
const MAX_NAME_BYTES = HIDDEN_NAME.length * 6;

function nameIn(text: Buffer): string {
  try {
    return String(JSON.parse(text.toString('utf8'))).toLowerCase();
  } catch {
    return '';
  }
}

/**
 * Overwrites the Authorization headers in a JSON batch body, whose `requests[]` contains several HTTP requests. The
 * upstream must not see the caller's credentials. Buffers at most one member name.
 */
export function hideInJson(): Edit {
  let buffered = NOTHING;
  let depth = 0;
  const kinds: number[] = [];
  let isText = false;
  let isEscaped = false;
  let isKeyNext = false;
  /**
   * Offset at which the current JSON member name begins. `undefined` outside of names, and inside a name that no rule
   * depends on.
   */
  let from: number | undefined;
  let member = '';
  let isInHeaders = false;
  let isValueHidden = false;
  let isHidden = false;

  function open(byte: number): void {
    depth += 1;
    if (depth <= IN_HEADERS) kinds[depth] = byte;
    isKeyNext = byte === OPEN_OBJECT;
    if (depth === IN_HEADERS)
      isInHeaders = byte === OPEN_OBJECT && kinds[IN_REQUEST] === OPEN_OBJECT && member === 'headers';
  }

  function endName(bytes: Buffer, at: number): void {
    if (from === undefined) return;
    const name = nameIn(bytes.subarray(from, at + 1));
    if (depth === IN_REQUEST) member = name;
    else if (name === HIDDEN_NAME) {
      bytes.write(COVER_NAME.padEnd(at - from - 1, '-'), from + 1, 'latin1');
      isValueHidden = true;
    }
    from = undefined;
  }

  function inText(bytes: Buffer, at: number): void {
    const byte = bytes[at];
    const isEnd = byte === QUOTE && !isEscaped;
    isEscaped = byte === BACKSLASH && !isEscaped;
    if (isEnd) {
      isText = false;
      isHidden = false;
      endName(bytes, at);
    } else if (isHidden) bytes[at] = COVER;
    if (from !== undefined && at - from > MAX_NAME_BYTES) {
      from = undefined;
      member = '';
    }
  }

  function outside(byte: number, at: number): void {
    if (isSpace(byte) || byte === COLON) return;
    isHidden = isValueHidden && byte === QUOTE;
    isValueHidden = false;
    if (byte === QUOTE) {
      isText = true;
      const isName = isKeyNext && (depth === IN_REQUEST || (depth === IN_HEADERS && isInHeaders));
      if (isName) from = at;
      isKeyNext = false;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) open(byte);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
      isKeyNext = false;
    } else if (byte === COMMA) isKeyNext = depth <= IN_HEADERS && kinds[depth] === OPEN_OBJECT;
  }

  return {
    take: (chunk) => {
      const bytes = Buffer.concat([buffered, chunk]);
      if (from !== undefined) from = 0;
      for (let at = buffered.length; at < bytes.length; at += 1) {
        if (isText) inText(bytes, at);
        else outside(bytes[at] ?? 0, at);
      }
      const end = from ?? bytes.length;
      buffered = bytes.subarray(end);
      return bytes.subarray(0, end);
    },
    rest: () => buffered,
  };
}

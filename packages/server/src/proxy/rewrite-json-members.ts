import type { Edit } from '../http/edit.js';
import { BACKSLASH, COLON, COMMA, OPEN_ARRAY, QUOTE } from '../text/json-bytes.js';
import { plainEscapes } from './plain-escapes.js';
import { MAX_VALUE_BYTES, type Rewrite } from './rewrite.js';

const NOTHING: Buffer = Buffer.alloc(0);

interface KeyMatch {
  readonly at: number;
  readonly end: number;
}

/**
 * Creates a function that finds the next of several JSON keys in the chunk, from an offset on. Their values may be
 * links. The last hit of each key is cached, so that no byte is searched twice for the same key.
 */
function createFind(bytes: Buffer, keys: readonly Buffer[]): (from: number) => KeyMatch | undefined {
  const next = keys.map(() => -1);
  return (from) => {
    let match: KeyMatch | undefined;
    for (const [index, key] of keys.entries()) {
      let at = next[index] ?? -1;
      if (at < from) {
        at = bytes.indexOf(key, from);
        if (at === -1) at = Number.POSITIVE_INFINITY;
        next[index] = at;
      }
      if (at < (match?.at ?? Number.POSITIVE_INFINITY)) match = { at, end: at + key.length };
    }
    return match;
  };
}

/** Returns the number of bytes at the end of a chunk that may be the beginning of one of the keys. */
function openEnd(bytes: Buffer, keys: readonly Buffer[]): number {
  for (let at = bytes.lastIndexOf(QUOTE); at !== -1; at = at === 0 ? -1 : bytes.lastIndexOf(QUOTE, at - 1)) {
    const rest = bytes.subarray(at);
    if (keys.every((key) => key.length <= rest.length)) return 0;
    if (keys.some((key) => key.length > rest.length && key.subarray(0, rest.length).equals(rest)))
      return rest.length;
  }
  return 0;
}

const isSpace = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at += 1;
  return at;
}

/** Creates a buffer that collects a JSON string which is split across several chunks of the response. */
function createTextBuffer() {
  let buffer = NOTHING;
  let length = 0;
  return {
    /** Adds a piece of the JSON string. Returns false if the string would exceed its maximum length. */
    add: (piece: Buffer): boolean => {
      if (length + piece.length > MAX_VALUE_BYTES) return false;
      if (buffer.length === 0) buffer = Buffer.allocUnsafe(MAX_VALUE_BYTES);
      length += piece.copy(buffer, length);
      return true;
    },
    take: (last: Buffer): Buffer => {
      const whole = length === 0 ? last : Buffer.concat([buffer.subarray(0, length), last]);
      length = 0;
      return whole;
    },
  };
}

function rewriteText(text: Buffer, rewrite: Rewrite): Buffer {
  try {
    const value: unknown = JSON.parse(text.toString('utf8'));
    const fresh = typeof value === 'string' ? rewrite(value) : undefined;
    return fresh === undefined ? text : Buffer.from(JSON.stringify(fresh));
  } catch {
    // Keeps invalid JSON in a response unchanged, because the client decides how to handle it.
    return text;
  }
}

type State = 'search' | 'colon' | 'value' | 'text' | 'item' | 'item text' | 'comma';

/**
 * Next parser state for each byte after the name of a JSON member that contains links. A colon must come first, then a
 * string or an array of strings.
 */
const NEXT: Readonly<Partial<Record<State, ReadonlyMap<number, State>>>> = {
  colon: new Map([[COLON, 'value']]),
  value: new Map([
    [QUOTE, 'text'],
    [OPEN_ARRAY, 'item'],
  ]),
  item: new Map([[QUOTE, 'item text']]),
  comma: new Map([[COMMA, 'item']]),
};

const isText = (state: State): boolean => state === 'text' || state === 'item text';

/**
 * Creates the edit that rewrites the string values of some members in a streamed JSON document or NDJSON, including
 * arrays of strings. All other bytes stay unchanged, except for escapes that JSON does not require. It buffers at most
 * one string. JSON escapes quotation marks within strings, so a quoted member name never matches inside a string.
 */
export function rewriteJsonMembers(members: readonly string[], rewrite: Rewrite): Edit {
  const keys = members.map((name) => Buffer.from(JSON.stringify(name)));
  const text = createTextBuffer();
  const plain = plainEscapes();
  let state: State = 'search';
  let isEscaped = false;
  /**
   * Bytes at the end of the previous chunk that may be the beginning of one of the member names. `last`: byte before
   * them.
   */
  let open = NOTHING;
  let last: number | undefined;

  /** Returns the offset after the end of the current JSON string, or 0 if the string continues in the next chunk. */
  function endOfText(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at += 1) {
      if (isEscaped) isEscaped = false;
      else if (bytes[at] === BACKSLASH) isEscaped = true;
      else if (bytes[at] === QUOTE) return at + 1;
    }
    return 0;
  }

  /**
   * Returns the offset of the next JSON string to rewrite. If the chunk contains none, returns the offset from which
   * bytes must wait for the next chunk.
   */
  function seek(bytes: Buffer, from: number, find: ReturnType<typeof createFind>): number {
    let at = from;
    while (at < bytes.length) {
      if (state === 'search') {
        const key = find(at);
        if (key === undefined) return bytes.length - openEnd(bytes.subarray(at), keys);
        const before = key.at === 0 ? last : bytes[key.at - 1];
        if (before !== BACKSLASH) state = 'colon';
        at = key.end;
        continue;
      }
      at = skipSpace(bytes, at);
      if (at >= bytes.length) break;
      state = NEXT[state]?.get(bytes[at] ?? 0) ?? 'search';
      if (isText(state)) return at;
      if (state !== 'search') at += 1;
    }
    return bytes.length;
  }

  function take(chunk: Buffer): Buffer {
    const read = plain.take(chunk);
    const bytes = open.length === 0 ? read : Buffer.concat([open, read]);
    const find = createFind(bytes, keys);
    const out: Buffer[] = [];
    open = NOTHING;
    for (let at = 0; at < bytes.length; ) {
      const isBegun = isText(state);
      const from = isBegun ? at : seek(bytes, at, find);
      out.push(bytes.subarray(at, from));
      if (!isText(state)) {
        open = bytes.subarray(from);
        break;
      }
      const end = endOfText(bytes, isBegun ? from : from + 1);
      const piece = bytes.subarray(from, end || bytes.length);
      at = from + piece.length;
      if (end > 0) out.push(rewriteText(text.take(piece), rewrite));
      else if (text.add(piece)) break;
      else out.push(text.take(piece));
      state = state === 'text' ? 'search' : 'comma';
      isEscaped = false;
    }
    last = bytes.at(-1 - open.length) ?? last;
    return Buffer.concat(out);
  }

  return { take, rest: () => Buffer.concat([text.take(NOTHING), open, plain.rest()]) };
}

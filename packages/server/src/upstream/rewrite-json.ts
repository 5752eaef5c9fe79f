import { Transform } from 'node:stream';

/** Gives what takes the place of a value; `undefined` leaves it as it is. */
export type Rewrite = (value: string) => string | undefined;

/** A longer value is no link that a client could follow. */
const MOST_VALUE_BYTES = 16 * 1024;
const NOTHING: Buffer = Buffer.alloc(0);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

interface Found {
  readonly at: number;
  readonly length: number;
}

function findKey(bytes: Buffer, keys: readonly Buffer[]): Found | undefined {
  let found: Found | undefined;
  for (const key of keys) {
    const at = bytes.indexOf(key);
    if (at !== -1 && (found === undefined || at < found.at)) found = { at, length: key.length };
  }
  return found;
}

/** How many bytes of the end may be the beginning of a key. */
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

type Reading = 'more' | 'none' | { readonly from: number; readonly to: number };

/** Where the text that follows a key stands, its quotes included; `none` when no text follows. */
function readValue(bytes: Buffer, after: number): Reading {
  const colon = skipSpace(bytes, after);
  if (colon >= bytes.length) return 'more';
  if (bytes[colon] !== 0x3a) return 'none';
  const from = skipSpace(bytes, colon + 1);
  if (from >= bytes.length) return 'more';
  if (bytes[from] !== QUOTE) return 'none';
  for (let at = from + 1; at < bytes.length; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === QUOTE) return { from, to: at + 1 };
  }
  return 'more';
}

function rewritten(text: Buffer, rewrite: Rewrite): Buffer {
  try {
    const value: unknown = JSON.parse(text.toString('utf8'));
    const fresh = typeof value === 'string' ? rewrite(value) : undefined;
    return fresh === undefined ? text : Buffer.from(JSON.stringify(fresh));
  } catch {
    // What is no JSON is not ours to judge.
    return text;
  }
}

/**
 * Rewrites the texts of some members of a JSON document on its way, and leaves every other byte as it is. Holds no more than
 * one such text. A quotation mark inside of a text is escaped in JSON, so that a key with both of its own is no part of one.
 */
export function rewriteJson(members: readonly string[], rewrite: Rewrite): Transform {
  const keys = members.map((name) => Buffer.from(JSON.stringify(name)));
  let held = NOTHING;
  let last: number | undefined;

  function take(bytes: Buffer, isLast: boolean, out: (chunk: Buffer) => void): Buffer {
    let rest = bytes;
    const push = (part: Buffer) => {
      if (part.length === 0) return;
      last = part.at(-1);
      out(part);
    };
    for (;;) {
      const key = findKey(rest, keys);
      if (key === undefined) break;
      const after = key.at + key.length;
      const isEscaped = (key.at === 0 ? last : rest[key.at - 1]) === BACKSLASH;
      const value = isEscaped ? 'none' : readValue(rest, after);
      const waits = value === 'more' && !isLast && rest.length - after < MOST_VALUE_BYTES;
      if (waits) {
        push(rest.subarray(0, key.at));
        return rest.subarray(key.at);
      }
      if (typeof value === 'string') {
        push(rest.subarray(0, after));
        rest = rest.subarray(after);
        continue;
      }
      push(rest.subarray(0, value.from));
      push(rewritten(rest.subarray(value.from, value.to), rewrite));
      rest = rest.subarray(value.to);
    }
    const open = isLast ? 0 : openEnd(rest, keys);
    push(rest.subarray(0, rest.length - open));
    return rest.subarray(rest.length - open);
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      held = take(bytes, false, (part) => this.push(part));
      done();
    },
    flush(done) {
      take(held, true, (part) => this.push(part));
      done();
    },
  });
}

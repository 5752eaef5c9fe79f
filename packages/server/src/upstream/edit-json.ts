import type { Rewrite } from './rewrite-json.js';

/** Changes a text that comes in chunks. */
export interface Edit {
  /** What may go on of it. */
  readonly take: (chunk: Buffer) => Buffer;
  /** What was held of its end. */
  readonly rest: () => Buffer;
}

const NOTHING: Buffer = Buffer.alloc(0);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OBJECT = 0x7b;
const OPENING = [OBJECT, 0x5b];
const CLOSING = [0x7d, 0x5d];
/** No place is deeper. */
const DEEPEST = 8;
const MOST_NAME_BYTES = 64;
/** A longer text is no link that a client could follow. */
const MOST_VALUE_BYTES = 16 * 1024;

interface Container {
  readonly isObject: boolean;
  /** With a dot at its end. */
  readonly place: string;
  member: string;
}

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    // What is no JSON is not ours to judge.
    return undefined;
  }
}

const placeIn = ({ isObject, place, member }: Container): string => place + (isObject ? member : '*');

/**
 * Rewrites the texts that stand in some places of a JSON document, such as `items.*.link`, and leaves every other byte as it
 * is. Holds no more than one name or one such text.
 */
export function editJson(places: ReadonlySet<string>, rewrite: Rewrite): Edit {
  const containers: Container[] = [];
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let isNameNext = false;
  let held = NOTHING;
  /** Where the name or text begins that is being read, and which of them it is. */
  let from: number | undefined;
  let isName = false;

  const innermost = () => containers[depth - 1];

  function open(isObject: boolean): void {
    const outer = innermost();
    depth += 1;
    isNameNext = isObject;
    if (depth <= DEEPEST)
      containers[depth - 1] = { isObject, place: outer ? `${placeIn(outer)}.` : '', member: '' };
  }

  function begin(at: number): void {
    const container = innermost();
    isText = true;
    isName = isNameNext && container !== undefined;
    isNameNext = false;
    if (isName || (container && places.has(placeIn(container)))) from = at;
  }

  function outside(byte: number, at: number): void {
    if (byte === QUOTE) begin(at);
    else if (OPENING.includes(byte)) open(byte === OBJECT);
    else if (CLOSING.includes(byte)) depth = Math.max(0, depth - 1);
    else if (byte === COMMA) isNameNext = innermost()?.isObject === true;
  }

  /** What takes the place of a text that has ended, its quotes included. */
  function end(text: Buffer): Buffer | undefined {
    const value = parse(text);
    const container = innermost();
    if (isName && container) container.member = typeof value === 'string' ? value : '';
    const fresh = isName || typeof value !== 'string' ? undefined : rewrite(value);
    return fresh === undefined ? undefined : Buffer.from(JSON.stringify(fresh));
  }

  function giveUp(): void {
    const container = innermost();
    if (isName && container) container.member = '';
    from = undefined;
  }

  function take(chunk: Buffer): Buffer {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const out: Buffer[] = [];
    let gone = 0;
    if (from !== undefined) from = 0;
    for (let at = held.length; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (!isText) outside(byte, at);
      else if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) {
        isText = false;
        const fresh = from === undefined ? undefined : end(bytes.subarray(from, at + 1));
        if (fresh) out.push(bytes.subarray(gone, from), fresh);
        if (fresh) gone = at + 1;
        from = undefined;
      }
      if (from !== undefined && at - from > (isName ? MOST_NAME_BYTES : MOST_VALUE_BYTES)) giveUp();
    }
    const upTo = from ?? bytes.length;
    held = bytes.subarray(upTo);
    return Buffer.concat([...out, bytes.subarray(gone, upTo)]);
  }

  return {
    take,
    rest: () => {
      const last = held;
      held = NOTHING;
      from = undefined;
      return last;
    },
  };
}

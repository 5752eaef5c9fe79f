import type { Change } from '../http/body-sink.js';
import { DEEPEST } from '../text/json-depth.js';

/** Returns the new text; `undefined` leaves the text as it is. */
export type Rewrite = (value: string) => string | undefined;

/** Changes text that arrives in chunks. */
export type Edit = Change;

const NOTHING: Buffer = Buffer.alloc(0);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OBJECT = 0x7b;
const OPENING = [OBJECT, 0x5b];
const CLOSING = [0x7d, 0x5d];
const MOST_NAME_BYTES = 64;
/** Longer text is no link that a client could follow. */
const MOST_VALUE_BYTES = 16 * 1024;

interface Container {
  readonly isObject: boolean;
  /** Path of the members with a dot at its end; `undefined` when no path to rewrite begins with it. */
  readonly path: string | undefined;
  /** True when every text inside is rewritten, at any depth. */
  readonly isWhole: boolean;
  member: string;
}

/** The end of a path that matches everything below it. */
const ALL_BELOW = '**';

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    // Invalid JSON is passed on as it is.
    return undefined;
  }
}

const pathIn = ({ isObject, path, member }: Container): string | undefined =>
  path === undefined ? undefined : path + (isObject ? member : '*');

/** Checks that a name is a plain segment: one with a dot or a star would match another path. */
const isPlain = (name: string): boolean => !name.includes('.') && !name.includes('*');

/** Creates containers, which know their paths. */
function createOpen(paths: ReadonlySet<string>) {
  const all = [...paths];
  return (isObject: boolean, outer: Container | undefined): Container => {
    const at = outer ? pathIn(outer) : '';
    const path = at === '' ? '' : `${at}.`;
    const isPrefix = at !== undefined && all.some((one) => one.startsWith(path));
    return {
      isObject,
      path: isPrefix ? path : undefined,
      isWhole: outer?.isWhole === true || (isPrefix && paths.has(path + ALL_BELOW)),
      member: '',
    };
  };
}

/**
 * Rewrites text at some paths of a JSON document, such as `items.*.link`, or `items.**` for everything in `items`. Every other byte stays
 * as it is. Buffers one name or one text at most, and looks 200 levels deep at most.
 */
export function editJson(paths: ReadonlySet<string>, rewrite: Rewrite): Edit {
  const openIn = createOpen(paths);
  const containers: Container[] = [];
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let isNameNext = false;
  let buffered = NOTHING;
  /** Start of the name or text that is being read, and which of the two it is. */
  let from: number | undefined;
  let isName = false;

  const innermost = () => containers[depth - 1];

  function open(isObject: boolean): void {
    const container = openIn(isObject, innermost());
    depth += 1;
    isNameNext = isObject;
    if (depth <= DEEPEST) containers[depth - 1] = container;
  }

  function isRewritten(container: Container): boolean {
    const path = pathIn(container);
    return container.isWhole || (path !== undefined && paths.has(path));
  }

  function begin(at: number): void {
    const container = innermost();
    isText = true;
    isName = isNameNext;
    isNameNext = false;
    if (container && (isName ? container.path !== undefined : isRewritten(container))) from = at;
  }

  function outside(byte: number, at: number): void {
    if (byte === QUOTE) begin(at);
    else if (OPENING.includes(byte)) open(byte === OBJECT);
    else if (CLOSING.includes(byte)) depth = Math.max(0, depth - 1);
    else if (byte === COMMA) isNameNext = innermost()?.isObject === true;
  }

  /** The replacement of a text that has ended, quotes included. */
  function end(text: Buffer): Buffer | undefined {
    const value = parse(text);
    const container = innermost();
    if (isName && container) container.member = typeof value === 'string' && isPlain(value) ? value : '';
    const fresh = isName || typeof value !== 'string' ? undefined : rewrite(value);
    return fresh === undefined ? undefined : Buffer.from(JSON.stringify(fresh));
  }

  function giveUp(): void {
    const container = innermost();
    if (isName && container) container.member = '';
    from = undefined;
  }

  function take(chunk: Buffer): Buffer {
    const bytes = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]);
    const out: Buffer[] = [];
    let written = 0;
    if (from !== undefined) from = 0;
    for (let at = buffered.length; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (!isText) outside(byte, at);
      else if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) {
        isText = false;
        const fresh = from === undefined ? undefined : end(bytes.subarray(from, at + 1));
        if (fresh) out.push(bytes.subarray(written, from), fresh);
        if (fresh) written = at + 1;
        from = undefined;
      }
      if (from !== undefined && at - from > (isName ? MOST_NAME_BYTES : MOST_VALUE_BYTES)) giveUp();
    }
    const upTo = from ?? bytes.length;
    buffered = bytes.subarray(upTo);
    return Buffer.concat([...out, bytes.subarray(written, upTo)]);
  }

  return {
    take,
    rest: () => {
      const last = buffered;
      buffered = NOTHING;
      from = undefined;
      return last;
    },
  };
}

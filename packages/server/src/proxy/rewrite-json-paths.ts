import type { Edit } from '../http/edit.js';
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from '../text/json-bytes.js';
import { MAX_JSON_DEPTH } from '../text/json-depth.js';
import { ESCAPE_BYTES, MAX_VALUE_BYTES, type Rewrite } from './rewrite.js';

const NOTHING: Buffer = Buffer.alloc(0);

interface Container {
  readonly isObject: boolean;
  /**
   * Path of the members in this JSON object or array, with a trailing dot. `undefined` if no path to rewrite begins
   * with it.
   */
  readonly path: string | undefined;
  /** True if every string inside this JSON object or array is rewritten, at any depth. */
  readonly isWhole: boolean;
  member: string;
}

/** Last segment of a path that matches all strings below it, as in `items.**`. */
const ALL_BELOW = '**';

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    // Keeps invalid JSON in a body unchanged, because the receiver decides how to handle it.
    return undefined;
  }
}

const pathIn = ({ isObject, path, member }: Container): string | undefined =>
  path === undefined ? undefined : path + (isObject ? member : '*');

/**
 * Returns true if a member name can be a segment of a path. A name with a dot or a star could match the path of another
 * member.
 */
const isPlain = (name: string): boolean => !name.includes('.') && !name.includes('*');

/**
 * Returns the maximum size in bytes of a member name in `paths`, if each of its characters is written as a `\u` escape.
 */
const mostNameBytes = (paths: ReadonlySet<string>): number =>
  ESCAPE_BYTES * Math.max(...[...paths].flatMap((path) => path.split('.').map(({ length }) => length)));

/**
 * Creates the function that the parser calls at each `{` and `[`. It returns the new object or array with its path. The
 * path is `undefined` if none of `paths` can be inside.
 */
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
 * Creates the edit that rewrites the strings at some paths in a streamed JSON document, such as `items.*.link`, or
 * `items.**` for all strings in `items`. All other bytes stay unchanged. It buffers at most one member name or string,
 * and rewrites nothing deeper than 200 levels.
 */
export function rewriteJsonPaths(paths: ReadonlySet<string>, rewrite: Rewrite): Edit {
  const openIn = createOpen(paths);
  const mostBytes = mostNameBytes(paths);
  const containers: Container[] = [];
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let isNameNext = false;
  let buffered = NOTHING;
  /**
   * Offset of the member name or string that the parser is reading. `undefined` if neither can lead to a rewrite.
   * `isName`: true for a member name.
   */
  let from: number | undefined;
  let isName = false;

  const innermost = () => containers[depth - 1];

  function open(isObject: boolean): void {
    const container = openIn(isObject, innermost());
    depth += 1;
    isNameNext = isObject;
    if (depth <= MAX_JSON_DEPTH) containers[depth - 1] = container;
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
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) open(byte === OPEN_OBJECT);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth = Math.max(0, depth - 1);
    else if (byte === COMMA) isNameNext = innermost()?.isObject === true;
  }

  /**
   * Returns the replacement, with quotation marks, for a JSON string that has been read completely. Returns `undefined`
   * to keep the string.
   */
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
      if (from !== undefined && at - from > (isName ? mostBytes : MAX_VALUE_BYTES)) giveUp();
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

import type { Change } from '../http/body-sink.js';
import { DEEPEST } from '../text/json-depth.js';

/** Gives what takes the place of a value; `undefined` leaves it as it is. */
export type Rewrite = (value: string) => string | undefined;

/** Changes a text that comes in chunks. */
export type Edit = Change;

const NOTHING: Buffer = Buffer.alloc(0);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OBJECT = 0x7b;
const OPENING = [OBJECT, 0x5b];
const CLOSING = [0x7d, 0x5d];
const MOST_NAME_BYTES = 64;
/** A longer text is no link that a client could follow. */
const MOST_VALUE_BYTES = 16 * 1024;

interface Container {
  readonly isObject: boolean;
  /** With a dot at its end; `undefined` where no place lies below it. */
  readonly place: string | undefined;
  /** Every text in it is meant, however deep. */
  readonly isWhole: boolean;
  member: string;
}

/** The end of a place that stands for all that is below it. */
const ALL_BELOW = '**';

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    // What is no JSON is not ours to judge.
    return undefined;
  }
}

const placeIn = ({ isObject, place, member }: Container): string | undefined =>
  place === undefined ? undefined : place + (isObject ? member : '*');

/** A name with such a sign in it would read as a place of its own. */
const isPlain = (name: string): boolean => !name.includes('.') && !name.includes('*');

/** How the containers of a document lie to the places. */
function createOpen(places: ReadonlySet<string>) {
  const all = [...places];
  return (isObject: boolean, outer: Container | undefined): Container => {
    const at = outer ? placeIn(outer) : '';
    const place = at === '' ? '' : `${at}.`;
    const isOnTheWay = at !== undefined && all.some((one) => one.startsWith(place));
    return {
      isObject,
      place: isOnTheWay ? place : undefined,
      isWhole: outer?.isWhole === true || (isOnTheWay && places.has(place + ALL_BELOW)),
      member: '',
    };
  };
}

/**
 * Rewrites the texts that stand in some places of a JSON document, such as `items.*.link`, or `items.**` for all that is in
 * `items`, and leaves every other byte as it is. Holds no more than one name or one such text, and looks no deeper than 200 levels.
 */
export function editJson(places: ReadonlySet<string>, rewrite: Rewrite): Edit {
  const openIn = createOpen(places);
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
    const container = openIn(isObject, innermost());
    depth += 1;
    isNameNext = isObject;
    if (depth <= DEEPEST) containers[depth - 1] = container;
  }

  function isMeant(container: Container): boolean {
    const place = placeIn(container);
    return container.isWhole || (place !== undefined && places.has(place));
  }

  function begin(at: number): void {
    const container = innermost();
    isText = true;
    isName = isNameNext;
    isNameNext = false;
    if (container && (isName ? container.place !== undefined : isMeant(container))) from = at;
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

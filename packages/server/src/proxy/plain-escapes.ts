import type { Edit } from '../http/edit.js';
import { BACKSLASH, QUOTE } from '../text/json-bytes.js';

const NOTHING: Buffer = Buffer.alloc(0);
const U = 0x75;
/** Length in bytes of a `\u` escape, such as `\u004c`. */
const LONG = 6;
const HEX = /^[\da-f]{4}$/i;

/**
 * Returns the character code of a JSON escape that could be written as a plain character. Returns `undefined` for an
 * escape that must stay.
 */
function plainOf(escaped: Buffer): number | undefined {
  const digits = escaped.toString('latin1', 2);
  const code = HEX.test(digits) ? Number.parseInt(digits, 16) : 0;
  return code > 0x1f && code < 0x7f && code !== QUOTE && code !== BACKSLASH ? code : undefined;
}

/**
 * Creates the edit that replaces escaped ASCII characters in a JSON stream, such as `"next\u004cink"`, with plain ones.
 * A byte search then finds every spelling of a member name.
 */
export function plainEscapes(): Edit {
  /** Bytes of a JSON escape that began at the end of the previous chunk and is not complete yet. */
  let open = NOTHING;

  function take(chunk: Buffer): Buffer {
    const bytes = open.length === 0 ? chunk : Buffer.concat([open, chunk]);
    const out: Buffer[] = [];
    let written = 0;
    open = NOTHING;
    for (let at = bytes.indexOf(BACKSLASH); at !== -1; ) {
      const end = at + (bytes[at + 1] === U ? LONG : 2);
      if (end > bytes.length) {
        open = bytes.subarray(at);
        break;
      }
      const plain = plainOf(bytes.subarray(at, end));
      if (plain !== undefined) out.push(bytes.subarray(written, at), Buffer.of(plain));
      if (plain !== undefined) written = end;
      at = bytes.indexOf(BACKSLASH, end);
    }
    const rest = bytes.subarray(written, bytes.length - open.length);
    return out.length === 0 ? rest : Buffer.concat([...out, rest]);
  }

  return { take, rest: () => open };
}

import type { Edit } from '../http/edit.js';

const LF = 0x0a;
const CR = 0x0d;
const DATA = 'data:';

function endOfLine(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at += 1;
  return at;
}

/**
 * Creates the edit of a server-sent event stream, which changes only the `data:` lines. `create` makes a new editor for
 * each event, because each event contains a separate JSON document.
 */
export function editEvents(create: () => Edit): Edit {
  let data = create();
  /** First characters of the current line of the event stream, at most five. They show whether it is a `data:` line. */
  let lineStart = '';
  let isAfterCr = false;

  function inLine(part: Buffer): Buffer[] {
    if (part.length === 0) return [];
    isAfterCr = false;
    const field = part.subarray(0, DATA.length - lineStart.length);
    lineStart += field.toString('latin1');
    const rest = part.subarray(field.length);
    return [field, lineStart === DATA ? data.take(rest) : rest];
  }

  function endLine(byte: number): Buffer[] {
    const end = Buffer.from([byte]);
    const isSecondHalf = byte === LF && isAfterCr;
    isAfterCr = byte === CR;
    if (isSecondHalf) return [end];
    const last = data.rest();
    // Creates a new editor for the data of the next event, because an empty line ends a server-sent event.
    if (lineStart === '') data = create();
    lineStart = '';
    return [last, end];
  }

  function take(chunk: Buffer): Buffer {
    const out: Buffer[] = [];
    for (let at = 0; at < chunk.length; ) {
      const end = endOfLine(chunk, at);
      out.push(...inLine(chunk.subarray(at, end)));
      const byte = chunk[end];
      if (byte !== undefined) out.push(...endLine(byte));
      at = end + 1;
    }
    return Buffer.concat(out);
  }

  return { take, rest: () => data.rest() };
}

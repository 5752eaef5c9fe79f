import type { Edit } from './edit-json.js';

const LF = 0x0a;
const CR = 0x0d;
const DATA = 'data:';

function endOfLine(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at += 1;
  return at;
}

/** Edits the data of server-sent events, each by an edit of its own, and leaves every other byte as it is. */
export function editEvents(create: () => Edit): Edit {
  let data = create();
  /** As much of the line as tells what it is. */
  let begun = '';
  let isAfterCr = false;

  function inLine(part: Buffer): Buffer[] {
    if (part.length === 0) return [];
    isAfterCr = false;
    const told = part.subarray(0, DATA.length - begun.length);
    begun += told.toString('latin1');
    const rest = part.subarray(told.length);
    return [told, begun === DATA ? data.take(rest) : rest];
  }

  function endLine(byte: number): Buffer[] {
    const end = Buffer.from([byte]);
    const isSecondHalf = byte === LF && isAfterCr;
    isAfterCr = byte === CR;
    if (isSecondHalf) return [end];
    const last = data.rest();
    // An empty line ends an event.
    if (begun === '') data = create();
    begun = '';
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

import type { Edit } from './edit-json.js';

const LF = 0x0a;
const CR = 0x0d;
const DATA = 'data:';

function endOfLine(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at += 1;
  return at;
}

/** Edits the data of server-sent events, each event by a new edit. Every other byte stays as it is. */
export function editEvents(create: () => Edit): Edit {
  let data = create();
  /** The first bytes of the line, which tell its field. */
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
    // An empty line ends an event.
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

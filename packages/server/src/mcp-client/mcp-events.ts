import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceError } from '../errors.js';
import { DEEPEST, isTooDeep } from '../text/json-depth.js';

/** An event of a stream that has come to its end. */
export interface McpEvent {
  /** As it came, without comments and with line feeds alone. */
  readonly bytes: Buffer;
  /** From it a stream can be resumed. */
  readonly isResumable: boolean;
}

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const MOST_EVENTS = 5_000;
const MOST_LINES = 100_000;
// The library looks at one event after the other without a pause; others have their turns in between.
const EVENTS_PER_TURN = 50;

const refuse = (message: string): never => {
  throw new ServiceError('upstream_failed', `The MCP server's answer ${message}.`, { status: 200 });
};

/** The value of a field; `undefined` for a line of another one. */
function fieldOf(line: Buffer, field: string): Buffer | undefined {
  const name = Buffer.from(field);
  if (!line.subarray(0, name.length).equals(name)) return undefined;
  if (line.length === name.length) return line.subarray(name.length);
  return line[name.length] === COLON ? line.subarray(name.length + 1) : undefined;
}

function toEvent(lines: readonly Buffer[]): McpEvent {
  const data = lines.flatMap((line) => fieldOf(line, 'data') ?? []);
  if (isTooDeep(Buffer.concat(data))) refuse(`is nested deeper than ${DEEPEST} levels`);
  const hasId = lines.some((line) => fieldOf(line, 'id')?.toString().trim());
  const ended = lines.flatMap((line) => [line, Buffer.of(LF)]);
  return { bytes: Buffer.concat([...ended, Buffer.of(LF)]), isResumable: hasId && data.length > 0 };
}

const BLANK = Buffer.alloc(0);

/** Cuts chunks into lines, whatever ends them and however they are cut, and leaves comments out. One pass over the bytes. */
function createLineCutter(): (chunk: Buffer) => Buffer[] {
  let begun: Buffer[] = [];
  let isAfterReturn = false;

  function endLine(chunk: Buffer, start: number, end: number): Buffer | undefined {
    if (begun.length === 0 && start === end) return BLANK;
    const parts = [...begun, chunk.subarray(start, end)];
    begun = [];
    return parts[0]?.[0] === COLON ? undefined : Buffer.concat(parts);
  }

  return (chunk) => {
    const lines: Buffer[] = [];
    let start = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index];
      const isSecondHalf = byte === LF && isAfterReturn;
      isAfterReturn = byte === CR;
      if (byte !== LF && byte !== CR) continue;
      const line = isSecondHalf ? undefined : endLine(chunk, start, index);
      if (line) lines.push(line);
      start = index + 1;
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
    return lines;
  };
}

/** The events of a stream, so few and so flat that reading them is done soon. What is not complete is left out. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<McpEvent> {
  const cut = createLineCutter();
  let event: Buffer[] = [];
  let events = 0;
  let count = 0;
  for await (const chunk of chunks) {
    for (const line of cut(Buffer.from(chunk))) {
      if (line.length === 0 && event.length === 0) continue;
      count += 1;
      if (count > MOST_LINES) refuse(`has more than ${MOST_LINES} lines`);
      if (line.length > 0) {
        event.push(line);
        continue;
      }
      events += 1;
      if (events > MOST_EVENTS) refuse(`has more than ${MOST_EVENTS} events`);
      yield toEvent(event);
      event = [];
      if (events % EVENTS_PER_TURN === 0) await nextTurn();
    }
  }
}

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ServiceError } from '../errors.js';
import { isTooDeep, MAX_JSON_DEPTH } from '../text/json-depth.js';

/** Complete server-sent event in a response stream of an MCP server. */
export interface McpEvent {
  /** Bytes of the server-sent event without comment lines. Each line ends with a line feed. */
  readonly bytes: Buffer;
  /** True if the server-sent event has an id and data. A client can resume the stream after such an event. */
  readonly isResumable: boolean;
}

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const MAX_EVENTS = 5_000;
const MAX_LINES = 100_000;
// Number of server-sent events that are parsed before other work of the event loop may run. The MCP library reads
// events without a pause and would block other requests.
const EVENTS_PER_TICK = 50;

const refuse = (problem: string, advice = 'Request less data.'): never => {
  throw new ServiceError('upstream_failed', `The response of the MCP server ${problem}. ${advice}`, {
    status: 200,
  });
};

/**
 * Returns the value of a field in one line of a server-sent event, such as the value of `data`. Returns `undefined` if
 * the line contains another field.
 */
function fieldOf(line: Buffer, field: string): Buffer | undefined {
  const name = Buffer.from(field);
  if (!line.subarray(0, name.length).equals(name)) return undefined;
  if (line.length === name.length) return line.subarray(name.length);
  return line[name.length] === COLON ? line.subarray(name.length + 1) : undefined;
}

function toEvent(lines: readonly Buffer[]): McpEvent {
  const data = lines.flatMap((line) => fieldOf(line, 'data') ?? []);
  if (isTooDeep(Buffer.concat(data)))
    refuse(
      `is nested deeper than the maximum of ${MAX_JSON_DEPTH} levels`,
      'Report this to the operator of the MCP server.',
    );
  const hasId = lines.some((line) => fieldOf(line, 'id')?.toString().trim());
  const ended = lines.flatMap((line) => [line, Buffer.of(LF)]);
  return { bytes: Buffer.concat([...ended, Buffer.of(LF)]), isResumable: hasId && data.length > 0 };
}

const BLANK = Buffer.alloc(0);

/**
 * Creates a function that splits the chunks of a server-sent event stream into lines. Line endings are LF, CR or CRLF,
 * and may span chunks. Comment lines are dropped.
 */
function createLineCutter() {
  let begun: Buffer[] = [];
  let isAfterReturn = false;

  function endLine(chunk: Buffer, start: number, end: number): Buffer | undefined {
    if (begun.length === 0 && start === end) return BLANK;
    const parts = [...begun, chunk.subarray(start, end)];
    begun = [];
    return parts[0]?.[0] === COLON ? undefined : Buffer.concat(parts);
  }

  return function cutLines(chunk: Buffer): Buffer[] {
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

/**
 * Yields the complete server-sent events of a stream. Throws upstream_failed for too many events, too many lines, or
 * JSON that is nested too deeply. These limits bound the parse time.
 */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<McpEvent> {
  const cutLines = createLineCutter();
  let event: Buffer[] = [];
  let events = 0;
  let count = 0;
  for await (const chunk of chunks) {
    for (const line of cutLines(Buffer.from(chunk))) {
      if (line.length === 0 && event.length === 0) continue;
      count += 1;
      if (count > MAX_LINES) refuse(`has more than the maximum of ${MAX_LINES} lines`);
      if (line.length > 0) {
        event.push(line);
        continue;
      }
      events += 1;
      if (events > MAX_EVENTS) refuse(`has more than the maximum of ${MAX_EVENTS} events`);
      yield toEvent(event);
      event = [];
      if (events % EVENTS_PER_TICK === 0) await yieldToEventLoop();
    }
  }
}

export interface EventIdWatch {
  read(chunk: Uint8Array): void;
  /** Whether an event with an id was read to its end: from it a stream can be resumed. */
  isSeen(): boolean;
}

// A line break at the end of a chunk may be the first half of one.
const LINE_BREAK = /\r\n|\n|\r(?!$)/;
const ID = /^id: ?\S/;
const DATA = /^data(:|$)/;
const ENOUGH = 8;

// Of a line that is not over only the beginning matters, and half a line break at its end.
const beginningOf = (line: string): string =>
  line.length <= ENOUGH ? line : line.slice(0, ENOUGH) + (line.endsWith('\r') ? '\r' : '');

/** Watches the chunks of an event stream, which may be cut anywhere, for an event that has an id. */
export function createEventIdWatch(): EventIdWatch {
  let isSeen = false;
  let rest = '';
  let event = { hasId: false, hasData: false };

  function readLine(line: string): void {
    if (line === '') {
      isSeen ||= event.hasId && event.hasData;
      event = { hasId: false, hasData: false };
    }
    event.hasId ||= ID.test(line);
    event.hasData ||= DATA.test(line);
  }

  return {
    read: (chunk) => {
      const lines = (rest + Buffer.from(chunk).toString('latin1')).split(LINE_BREAK);
      rest = beginningOf(lines.pop() ?? '');
      lines.forEach(readLine);
    },
    isSeen: () => isSeen,
  };
}

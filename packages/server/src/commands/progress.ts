import { printableLine } from '../text/printable.js';

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}

export interface Progress {
  readonly add: (count: number) => void;
  /** Leaves the bar as it is. */
  readonly end: () => void;
}

const WIDTH = 30;

/** A bar that fills up on a terminal; nothing where nobody watches, for lines of a file would only be many. */
export function createProgress(
  stream: ProgressStream,
  { title, total }: { readonly title: string; readonly total: number },
): Progress {
  if (!stream.isTTY || total === 0) return { add: () => undefined, end: () => undefined };
  let done = 0;
  let drawn = '';
  function draw(): void {
    // What is written meanwhile may make it more than there was.
    const share = Math.min(1, done / total);
    const filled = Math.round(share * WIDTH);
    const bar = `[${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}]`;
    const line = `${printableLine(title)} ${bar} ${Math.floor(share * 100)} % (${done} of ${total})`;
    if (line === drawn) return;
    drawn = line;
    stream.write(`\r${line}`);
  }
  draw();
  return {
    add: (count) => {
      done += count;
      draw();
    },
    end: () => void stream.write('\n'),
  };
}

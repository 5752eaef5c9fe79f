import { printableLine } from '../text/printable.js';

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}

export interface Progress {
  readonly add: (count: number) => void;
  /** Ends the line of the bar. */
  readonly end: () => void;
}

const WIDTH = 30;

/** A progress bar on a terminal. Other streams get no output, because a file would collect a line per step. */
export function createProgress(
  stream: ProgressStream,
  { title, total }: { readonly title: string; readonly total: number },
): Progress {
  if (!stream.isTTY || total === 0) return { add: () => undefined, end: () => undefined };
  let done = 0;
  let drawn = '';
  function draw(): void {
    // Rows that are written meanwhile can raise the count above the total.
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

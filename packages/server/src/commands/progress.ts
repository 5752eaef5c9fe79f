import { printableLine } from '../text/printable.js';

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}

export interface Progress {
  readonly add: (count: number) => void;
  /** Prints a line break after the progress bar, so that later output starts on a new line. */
  readonly end: () => void;
}

const WIDTH = 30;

/**
 * Creates a progress bar on a terminal. Other streams get no output, because a log file would collect a line per step.
 */
export function createProgress(
  stream: ProgressStream,
  { title, total }: { readonly title: string; readonly total: number },
): Progress {
  if (!stream.isTTY || total === 0) return { add: () => undefined, end: () => undefined };
  let done = 0;
  let drawn = '';
  function draw(): void {
    // The share is limited to 1, because rows that are added during the command can raise `done` above `total`.
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

import { printable, printableLine } from '../text/printable.js';

const LEVELS: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO ',
  40: 'WARN ',
  50: 'ERROR',
};

/** Error in a log line, with its cause. */
interface LoggedError {
  readonly name: string;
  readonly message?: string;
  readonly frames: readonly string[];
  readonly cause?: LoggedError;
}

/** Log line after `JSON.parse`. Properties that this interface does not name are fields of the log message. */
interface Line {
  readonly level: number;
  readonly time: string;
  readonly msg: string;
  readonly error?: LoggedError;
  readonly [field: string]: unknown;
}

/** Formats JSON log lines for a person at a terminal: `09:05:07 WARN  request failed  status=500 route=/v1/tools`. */
export const readableLines = (lines: string): string =>
  lines
    .split('\n')
    .map((line) => line && printable(readableLine(JSON.parse(line) as Line)))
    .join('\n');

// Formats a log line for a terminal. Omits the version of the service, which the first line after the start contains.
function readableLine({ level, time, msg, error, serviceVersion: _, ...fields }: Line): string {
  const clock = new Date(time).toTimeString().slice(0, 8);
  const values = Object.entries(fields).map(([name, value]) => `${name}=${valueText(value)}`);
  const head = `${clock} ${LEVELS[level] ?? level} ${printableLine(msg)}`;
  return [[head, values.join(' ')].filter(Boolean).join('  '), ...(error ? errorLines(error) : [])].join(
    '\n',
  );
}

const valueText = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);

function errorLines({ name, message, frames, cause }: LoggedError, prefix = ''): readonly string[] {
  const title = `${prefix}${name}${message === undefined ? '' : `: ${printableLine(message)}`}`;
  const own = [title, ...frames.map((frame) => `  ${printableLine(frame)}`)].map((line) => `  ${line}`);
  return cause === undefined ? own : [...own, ...errorLines(cause, 'caused by ')];
}

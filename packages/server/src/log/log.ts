import { pino } from 'pino';
import { ServiceError } from '../errors.js';
import { printable } from '../text/printable.js';
import { type AnsweredRequest, kindOf, type RequestLines, requestLine } from './request-line.js';

/** The only fields that are ever logged: nothing that a caller, a user or an upstream wrote, but for ids of ours. */
export interface LogFields {
  readonly requestId?: string;
  readonly applicationId?: string;
  readonly method?: string;
  /** The route's pattern, never the path itself. */
  readonly route?: string;
  readonly status?: number;
  readonly errorCode?: string;
  readonly durationMs?: number;
  readonly address?: string;
  /** Of what the message is about. */
  readonly count?: number;
}

export interface Log {
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** Of every request, when it is over: whether there is a line of it is for the settings to say. */
  answered(request: AnsweredRequest): void;
  /** For a fault of the service itself: the stack is logged too. */
  fault(message: string, error: unknown, fields?: LogFields): void;
  flush(): void;
}

const FIELDS = [
  'requestId',
  'applicationId',
  'method',
  'route',
  'status',
  'errorCode',
  'durationMs',
  'address',
  'count',
] as const;

// The type of LogFields does not hold at run time, where a wider object fits it too.
function allowed(fields: LogFields): LogFields {
  return Object.fromEntries(
    FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
  );
}

interface Described {
  readonly name: string;
  readonly code?: string;
  readonly message?: string;
  readonly frames: readonly string[];
  readonly cause?: Described;
}

const DEEPEST_CAUSE = 4;

/** Where it happened. The message of an error that is not ours may quote what a caller or an upstream sent. */
function describe(error: unknown, depth = 0): Described {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const { name, stack = '', message, cause } = error;
  return {
    name,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...(error instanceof ServiceError && { message }),
    frames: stack
      .replace(message, '')
      .split('\n')
      .flatMap((line) => /^\s+(at .*)$/.exec(line)?.[1] ?? []),
    ...(cause !== undefined && depth < DEEPEST_CAUSE && { cause: describe(cause, depth + 1) }),
  };
}

/** Where lines go. */
export interface LogDestination {
  write(line: string): unknown;
  flushSync(): void;
}

export interface LogOptions extends RequestLines {
  /** By default standard output. */
  readonly destination?: LogDestination;
}

const LINES_BYTES = 8192;
const LINES_MS = 200;
const MOST_BYTES = 16 * 2 ** 20;

/** Written behind the caller's back; whoever does not read it costs so much memory and no more. */
export function openOutput(dest = 1, mostBytes = MOST_BYTES): LogDestination {
  const output = pino.destination({
    dest,
    sync: false,
    minLength: 4096,
    periodicFlush: LINES_MS,
    maxLength: mostBytes,
  });
  let lost = 0;
  output.on('drop', (text: string) => {
    lost += text.split('\n').length - 1;
  });
  output.on('drain', () => {
    if (lost === 0) return;
    const line = {
      level: 40,
      time: new Date().toISOString(),
      count: lost,
      msg: 'lines of the log were given up',
    };
    lost = 0;
    output.write(`${JSON.stringify(line)}\n`);
  });
  return output;
}

/** Lines that come by the thousand are written many at a time. */
function createLines({ write }: Pick<LogDestination, 'write'>) {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (lines === '') return;
    const written = lines;
    lines = '';
    write(written);
  }
  return {
    flush,
    add: (line: string) => {
      lines += line;
      if (lines.length >= LINES_BYTES) flush();
      else timer ??= setTimeout(flush, LINES_MS).unref();
    },
  };
}

/** JSON lines. */
export function createLog(level: string, options: LogOptions = {}): Log {
  const { destination = openOutput() } = options;
  const lines = createLines({ write: (text) => destination.write(text) });
  const escaping = {
    write: (line: string) => {
      lines.flush();
      destination.write(printable(line));
    },
  };
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, escaping);
  return {
    info: (message, fields = {}) => logger.info(allowed(fields), message),
    debug: (message, fields = {}) => logger.debug(allowed(fields), message),
    warn: (message, fields = {}) => logger.warn(allowed(fields), message),
    answered: (request) => {
      const kind = kindOf(request, options);
      if (kind && kind.level >= logger.levelVal) lines.add(requestLine(request, kind, new Date()));
    },
    fault: (message, error, fields = {}) =>
      logger.error({ ...allowed(fields), error: describe(error) }, message),
    flush: () => {
      lines.flush();
      destination.flushSync();
    },
  };
}

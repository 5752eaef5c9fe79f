import { pino } from 'pino';
import { ServiceError } from '../errors.js';
import { printable } from '../text/printable.js';
import { readableLines } from './readable-lines.js';
import {
  type CompletedRequest,
  kindOf,
  type RequestLines,
  requestLine,
  versionField,
} from './request-line.js';

/**
 * Only these fields are logged. Text from callers, users and upstreams is never logged, except ids that this service
 * created, and the hexadecimal id of the caller's trace.
 */
export interface LogFields {
  readonly requestId?: string;
  readonly traceId?: string | undefined;
  readonly applicationId?: string;
  readonly method?: string;
  /** URL pattern of the route. The actual path is never logged, because it may contain personal data. */
  readonly route?: string;
  readonly status?: number;
  readonly errorCode?: string;
  readonly durationMs?: number;
  readonly address?: string;
  /** Number of objects that the message is about. */
  readonly count?: number;
}

export interface Log {
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** Called when a request has ended. The settings decide whether the request gets a log line. */
  request(request: CompletedRequest): void;
  /** Logs an internal error of the service with its stack trace. */
  fault(message: string, error: unknown, fields?: LogFields): void;
  flush(): void;
}

const FIELDS = [
  'requestId',
  'traceId',
  'applicationId',
  'method',
  'route',
  'status',
  'errorCode',
  'durationMs',
  'address',
  'count',
] as const;

// TypeScript also accepts objects with additional fields as LogFields, so the allowed fields are selected at run time.
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

const MAX_CAUSE_DEPTH = 4;

/**
 * Converts an error to loggable data with its stack trace. Messages of other libraries are omitted, because they may
 * quote a caller or an upstream.
 */
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
    ...(cause !== undefined && depth < MAX_CAUSE_DEPTH && { cause: describe(cause, depth + 1) }),
  };
}

/** Destination that log lines are written to. */
export interface LogDestination {
  write(line: string): unknown;
  flushSync(): void;
}

export interface LogOptions extends RequestLines {
  /** Destination of the log lines. Default: standard output. */
  readonly destination?: LogDestination;
  /** True to write lines for a person at a terminal. Default: false, which writes JSON. */
  readonly readable?: boolean;
  /** Version of the service, which every line gets, because several versions run during an update. Default: none. */
  readonly serviceVersion?: string;
}

const LINES_BYTES = 8192;
const LINES_MS = 200;
const MAX_BYTES = 16 * 2 ** 20;

/**
 * Opens a log destination that writes in the background. If the reader is too slow, lines are dropped, so that the
 * memory is bounded.
 */
export function openOutput(dest = 1, mostBytes = MAX_BYTES): LogDestination {
  const output = pino.destination({
    dest,
    sync: false,
    minLength: 4096,
    periodicFlush: LINES_MS,
    maxLength: mostBytes,
  });
  let dropped = 0;
  output.on('drop', (text: string) => {
    dropped += text.split('\n').length - 1;
  });
  output.on('drain', () => {
    if (dropped === 0) return;
    const line = {
      level: 40,
      time: new Date().toISOString(),
      count: dropped,
      msg: 'log lines were dropped, because the output did not accept them; check the program that reads the log',
    };
    dropped = 0;
    output.write(`${JSON.stringify(line)}\n`);
  });
  return output;
}

/** Collects log lines of requests, so that one write contains many lines. */
function createLineBuffer({ write }: Pick<LogDestination, 'write'>) {
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

/** Creates a logger that writes lines of JSON, or readable lines. */
export function createLog(level: string, options: LogOptions = {}): Log {
  const { destination = openOutput(), readable = false, serviceVersion } = options;
  const version = versionField(serviceVersion);
  const base = serviceVersion === undefined ? null : { serviceVersion };
  const write = (text: string) => destination.write(readable ? readableLines(text) : text);
  const lines = createLineBuffer({ write });
  const escaping = {
    write: (line: string) => {
      lines.flush();
      write(printable(line));
    },
  };
  const logger = pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, escaping);
  return {
    info: (message, fields = {}) => logger.info(allowed(fields), message),
    debug: (message, fields = {}) => logger.debug(allowed(fields), message),
    warn: (message, fields = {}) => logger.warn(allowed(fields), message),
    request: (request) => {
      const kind = kindOf(request, options);
      if (kind && kind.level >= logger.levelVal)
        lines.add(requestLine(request, kind, { time: new Date(), version }));
    },
    fault: (message, error, fields = {}) =>
      logger.error({ ...allowed(fields), error: describe(error) }, message),
    flush: () => {
      lines.flush();
      destination.flushSync();
    },
  };
}

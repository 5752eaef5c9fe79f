import { pino } from 'pino';
import { ServiceError } from './errors.js';
import { printable } from './printable.js';

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

const standardOutput = (): LogDestination =>
  pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 200 });

/** JSON lines, by default on standard output, written behind the caller's back. */
export function createLog(level: string, destination = standardOutput()): Log {
  const escaping = { write: (line: string) => destination.write(printable(line)) };
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, escaping);
  return {
    info: (message, fields = {}) => logger.info(allowed(fields), message),
    debug: (message, fields = {}) => logger.debug(allowed(fields), message),
    warn: (message, fields = {}) => logger.warn(allowed(fields), message),
    fault: (message, error, fields = {}) =>
      logger.error({ ...allowed(fields), error: describe(error) }, message),
    flush: () => destination.flushSync(),
  };
}

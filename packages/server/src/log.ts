import { pino } from 'pino';

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
] as const;

// The type of LogFields does not hold at run time, where a wider object fits it too.
function allowed(fields: LogFields): LogFields {
  return Object.fromEntries(
    FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
  );
}

// Control characters are escaped by JSON; these turn text around in a terminal.
const BIDI = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const escapeBidi = (text: string) =>
  text.replace(BIDI, (character) => `\\u${character.charCodeAt(0).toString(16)}`);

function describe(error: unknown): { name: string; stack: string } {
  if (!(error instanceof Error)) return { name: typeof error, stack: '' };
  return { name: error.name, stack: escapeBidi(error.stack ?? error.message) };
}

/** JSON lines on standard output, written behind the caller's back. */
export function createLog(level: string): Log {
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 200 });
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return {
    info: (message, fields = {}) => logger.info(allowed(fields), message),
    debug: (message, fields = {}) => logger.debug(allowed(fields), message),
    warn: (message, fields = {}) => logger.warn(allowed(fields), message),
    fault: (message, error, fields = {}) =>
      logger.error({ ...allowed(fields), error: describe(error) }, message),
    flush: () => destination.flushSync(),
  };
}

import { printableLine } from '../text/printable.js';

/** A request that has been answered, in words of ours alone. */
export interface AnsweredRequest {
  readonly requestId: string;
  /** Empty where nobody has signed in. */
  readonly applicationId: string;
  readonly method: string;
  /** The route's pattern, never the path itself. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** Of an answer of ours; absent where the upstream's was passed on. */
  readonly errorCode?: string | undefined;
}

/** Which requests get a line. */
export interface RequestLines {
  /** All of them, not only those that failed or were slow. */
  readonly access?: boolean;
  readonly slowMs?: number;
}

interface Kind {
  readonly level: number;
  readonly message: string;
}

const FAILED: Kind = { level: 40, message: 'request failed' };
const SLOW: Kind = { level: 40, message: 'slow request' };
const REQUEST: Kind = { level: 30, message: 'request' };

/** What a request is to the log; nothing where it is not to be told of. An upstream's failure is no failure of ours. */
export function kindOf(
  { status, errorCode, durationMs }: AnsweredRequest,
  { access = false, slowMs = Number.POSITIVE_INFINITY }: RequestLines,
): Kind | undefined {
  if (status >= 500 && errorCode !== undefined) return FAILED;
  if (durationMs >= slowMs) return SLOW;
  return access ? REQUEST : undefined;
}

const PLAIN = /^[ !#-[\]-~]*$/;

const quoted = (text: string): string =>
  PLAIN.test(text) ? `"${text}"` : printableLine(JSON.stringify(text));

/** The line as the library of the log would write it, and several times as fast: it is the only one of a busy service. */
export function requestLine(request: AnsweredRequest, { level, message }: Kind, time: Date): string {
  const { requestId, applicationId, method, route, status, durationMs, errorCode } = request;
  const code = errorCode === undefined ? '' : `,"errorCode":${quoted(errorCode)}`;
  return `{"level":${level},"time":"${time.toISOString()}","requestId":${quoted(requestId)},"applicationId":${quoted(applicationId)},"method":${quoted(method)},"route":${quoted(route)},"status":${status}${code},"durationMs":${durationMs},"msg":"${message}"}\n`;
}

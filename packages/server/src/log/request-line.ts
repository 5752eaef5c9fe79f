import { printableLine } from '../text/printable.js';

/**
 * Request that has ended, for its log line. Only `traceId` is chosen by the client, so no other data of a client
 * reaches the log.
 */
export interface CompletedRequest {
  readonly requestId: string;
  /** Id of the caller's trace: 32 hexadecimal digits. Absent without a valid `traceparent`. */
  readonly traceId?: string | undefined;
  /** Id of the calling application. Empty for a request without credentials. */
  readonly applicationId: string;
  readonly method: string;
  /** URL pattern of the route. The actual path is never logged, because it may contain personal data. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** Error code of this service. Absent if the response comes from the upstream. */
  readonly errorCode?: string | undefined;
}

/** Settings that decide which requests get a log line. */
export interface RequestLines {
  /** If true, every request gets a log line. Otherwise only failed and slow requests get one. */
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

/**
 * Returns the log level and the message of a request, or `undefined` if it gets no line. An error response of the
 * upstream does not count as a failure of this service. Neither does a probe that learns that the service is not ready.
 */
export function kindOf(
  { route, status, errorCode, durationMs }: CompletedRequest,
  { access = false, slowMs = Number.POSITIVE_INFINITY }: RequestLines,
): Kind | undefined {
  const isProbe = route === '/readyz' && status === 503;
  if (status >= 500 && errorCode !== undefined && !isProbe) return FAILED;
  if (durationMs >= slowMs) return SLOW;
  return access ? REQUEST : undefined;
}

const PLAIN = /^[ !#-[\]-~]*$/;

const quoted = (text: string): string =>
  PLAIN.test(text) ? `"${text}"` : printableLine(JSON.stringify(text));

/** Returns the text of the version field, which every line of a log has. */
export const versionField = (serviceVersion: string | undefined): string =>
  serviceVersion === undefined ? '' : `,"serviceVersion":${quoted(serviceVersion)}`;

/**
 * Formats a log line in the format of pino, but several times faster. A busy service writes one line for each request.
 */
export function requestLine(
  request: CompletedRequest,
  { level, message }: Kind,
  { time, version }: { readonly time: Date; readonly version: string },
): string {
  const { requestId, traceId, applicationId, method, route, status, durationMs, errorCode } = request;
  const trace = traceId === undefined ? '' : `,"traceId":${quoted(traceId)}`;
  const code = errorCode === undefined ? '' : `,"errorCode":${quoted(errorCode)}`;
  return `{"level":${level},"time":"${time.toISOString()}"${version},"requestId":${quoted(requestId)}${trace},"applicationId":${quoted(applicationId)},"method":${quoted(method)},"route":${quoted(route)},"status":${status}${code},"durationMs":${durationMs},"msg":"${message}"}\n`;
}

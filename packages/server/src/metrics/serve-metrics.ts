import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { RateLimiter } from '../limits/rate-limiter.js';
import { isSame } from '../text/is-same.js';

export const METRICS_PATH = '/metrics';

export interface ServeMetricsParts {
  /**
   * Bearer token that a request for the metrics must present. Absent if only access to the port protects the metrics.
   */
  readonly token: string | undefined;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly limitAddress: Pick<RateLimiter, 'take'>;
  /** Returns all metrics in the text format. */
  readonly readText: () => Promise<string>;
  /** Called when the metrics could not be read. */
  readonly onError: (error: unknown) => void;
}

const BEARER = /^Bearer +(\S+)$/i;
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Creates the request handler of the metrics port, which serves only the metrics. Each request counts for the rate
 * limit of its IP address, so that the token cannot be guessed quickly.
 */
export function createServeMetrics({
  token,
  addressOf,
  limitAddress,
  readText,
  onError,
}: ServeMetricsParts): RequestListener {
  const isAuthorized = ({ headers }: IncomingMessage): boolean =>
    token === undefined || isSame(BEARER.exec(headers.authorization ?? '')?.[1] ?? '', token);

  function refusalOf(request: IncomingMessage): Sent | undefined {
    const { isAllowed, seconds } = limitAddress.take(addressOf(request));
    if (!isAllowed)
      return {
        status: 429,
        text: 'Too many requests. Retry after the time in the header retry-after.',
        headers: { 'retry-after': String(seconds) },
      };
    if (request.url?.split('?', 1)[0] !== METRICS_PATH) return { status: 404, text: 'Not found.' };
    if (!['GET', 'HEAD'].includes(request.method ?? ''))
      return {
        status: 405,
        text: 'This method is not supported. Use GET or HEAD.',
        headers: { allow: 'GET, HEAD' },
      };
    if (!isAuthorized(request))
      return { status: 401, text: 'Unauthorized.', headers: { 'www-authenticate': 'Bearer' } };
    return undefined;
  }

  function send(request: IncomingMessage, response: ServerResponse, { status, text, headers }: Sent): void {
    response.writeHead(status, {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
      'content-length': Buffer.byteLength(text),
    });
    response.end(request.method === 'HEAD' ? undefined : text);
  }

  const sendPlain = (request: IncomingMessage, response: ServerResponse, { text, ...refusal }: Sent) =>
    send(request, response, {
      ...refusal,
      text: `${text}\n`,
      headers: { 'content-type': 'text/plain; charset=utf-8', ...refusal.headers },
    });

  return function serveMetrics(request, response) {
    const refusal = refusalOf(request);
    if (refusal !== undefined) return sendPlain(request, response, refusal);
    readText().then(
      (text) => send(request, response, { status: 200, text, headers: { 'content-type': CONTENT_TYPE } }),
      (error: unknown) => {
        onError(error);
        sendPlain(request, response, {
          status: 500,
          text: 'The metrics could not be read. Check the log of the service.',
        });
      },
    );
  };
}

import type { Connector } from '@svc/catalog';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { type RejectedReason, ServiceError } from '../errors.js';
import type { Cancellation, SendHttp } from '../http/send-http.js';
import type { Limiter } from './limiter.js';
import { type SentRequest, type Trace, traceRequest, traceWait } from './trace.js';

/**
 * Download of a file by a signed link that an upstream returned. The link is a secret, so it must not appear in an
 * error, log or result.
 */
export interface SignedDownload {
  readonly account: ResolvedAccount;
  readonly connector: Connector;
  readonly signal: Cancellation | undefined;
  readonly trace: Trace;
  /** Reserves memory for a number of bytes when they arrive. Throws if too little memory is free. */
  readonly take: (bytes: number) => void;
  /** Maximum size of the file in bytes. */
  readonly mostBytes: number;
}

const TIMEOUT_MS = 60_000;
const ELSEWHERE = 'Open the file in the application of the upstream.';
const OR_ELSEWHERE = 'Or open the file in the application of the upstream.';
const LOOPBACK = ['127.0.0.1', 'localhost'];

const isOfDomain = ({ protocol, port, hostname }: URL, domains: readonly string[]): boolean =>
  protocol === 'https:' && port === '' && domains.some((domain) => hostname.endsWith(`.${domain}`));

// Treats `localhost` and `127.0.0.1` as the same host, because an upstream's emulator may sign links with the name that
// the base URL does not use.
const isSameMachine = (url: URL, own: URL): boolean =>
  LOOPBACK.includes(url.hostname) &&
  LOOPBACK.includes(own.hostname) &&
  url.protocol === own.protocol &&
  url.port === own.port;

/**
 * Returns the origin from which the link's file is downloaded. Throws `upstream_failed` if the host in the link is not
 * a file host of the connector.
 */
function originOf(url: URL | null, { account, connector }: SignedDownload): string {
  const own = new URL(account.baseUrl);
  if (url !== null && url.username === '' && url.password === '') {
    if (isOfDomain(url, connector.links?.fileDomains ?? [])) return url.origin;
    if (url.origin === own.origin || isSameMachine(url, own)) return own.origin;
  }
  throw failed(
    `returned a download link whose host is not a file host of the connector "${connector.id}", so nothing was sent there. ${ELSEWHERE} Report this to the maintainer of the connector.`,
  );
}

const failed = (
  problem: string,
  details?: { readonly status: number; readonly reason?: RejectedReason },
): ServiceError => new ServiceError('upstream_failed', `The upstream ${problem}`, details);

export type DownloadSigned = ReturnType<typeof createDownloadSigned>;

/** Returns a copy of `send` that adds each request and its duration to the measurements of the call. */
function traceSend(send: SendHttp, trace: Trace): SendHttp {
  return async function sendTraced(request) {
    const began = performance.now();
    trace.attempts += 1;
    let outcome: SentRequest['outcome'] = 'failed';
    try {
      const response = await send(request);
      outcome = response.status;
      return response;
    } finally {
      traceRequest(trace, performance.now() - began, outcome);
    }
  };
}

export function createDownloadSigned(send: SendHttp, limiter: Pick<Limiter, 'acquire'>) {
  async function downloadNow(link: string, download: SignedDownload): Promise<Buffer> {
    const { account, connector, signal, take, mostBytes, trace } = download;
    const origin = originOf(URL.parse(link), download);
    const { status, body } = await traceSend(
      send,
      trace,
    )({
      origin,
      // Cuts path and query from the text of the link. A parsed and rebuilt URL could have another spelling, which the
      // signature does not cover.
      path: link.slice(link.indexOf('/', link.indexOf('://') + 3)).split('#', 1)[0] ?? '/',
      owner: account.applicationId,
      connector: connector.id,
      method: 'GET',
      headers: ['accept', '*/*'],
      totalMs: TIMEOUT_MS,
      signal,
    });
    if (status !== 200) {
      body.destroy();
      const rejected: { reason?: RejectedReason } =
        status >= 400 && status < 500 ? { reason: 'call_rejected' } : {};
      const advice =
        status >= 500 || status === 429
          ? 'Retry later.'
          : `Call the tool again, so that the upstream returns a new download link. ${OR_ELSEWHERE}`;
      throw failed(`responded with ${status} when the service downloaded the file. ${advice}`, {
        status,
        ...rejected,
      });
    }
    const chunks: Buffer[] = [];
    let length = 0;
    await body.drain((chunk) => {
      length += chunk.length;
      if (length > mostBytes)
        throw failed(`sent a file that is larger than the maximum of ${mostBytes} bytes. ${ELSEWHERE}`);
      take(chunk.length);
      chunks.push(chunk);
    });
    return Buffer.concat(chunks, length);
  }

  /** Downloads a file by its signed link. Takes a slot of the limiter, sends no credential, and follows no redirect. */
  return async function downloadSigned(link: string, download: SignedDownload): Promise<Buffer> {
    const slot = limiter.acquire(download.account, download.signal);
    const release = slot instanceof Promise ? await traceWait(slot, download.trace) : slot;
    try {
      return await downloadNow(link, download);
    } finally {
      release();
    }
  };
}

import { invalidField, ServiceError } from '../errors.js';
import type { Cancellation, HttpResponse, SendHttp } from '../http/send-http.js';
import { type IsAllowedOrigin, LINK_ORIGINS } from '../names/allowed-origins.js';
import { urlFormProblem } from '../text/url-form.js';
import {
  type BoundedLink,
  checkLinkedResponse,
  DIRECT,
  type Link,
  RETRY,
  tooLarge,
  webPage,
} from './check-linked-response.js';
import { chunksOf, type LinkedFile } from './linked-file.js';

export type { Link } from './check-linked-response.js';

export interface LinkReader {
  readonly applicationId: string;
  readonly signal: Cancellation | undefined;
  /** Reserves memory for a number of bytes. Throws if too little memory is free. */
  readonly take: (bytes: number) => void;
}

type Use<Result> = (file: LinkedFile) => Promise<Result>;

/**
 * Maximum number of redirects that the service follows for one link. Links to shared files and short links often need
 * two or three.
 */
const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
const FAILURES: Readonly<Record<string, string>> = {
  unknown_host: `has a host name that cannot be resolved. Correct the link.`,
  refused: `has a host that refuses connections. ${RETRY}`,
  tls: `has a host without a valid certificate for its name. Pass another link.`,
  egress_proxy: `is not reachable through the egress proxy of the service. Pass another link.`,
};

/** Converts an error of a request to a link's host into `invalid_input`, so that the caller blames the link. */
function unreachable({ field }: Link, error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { reason = '' } = error;
  if (reason === 'blocked_address' || reason === 'unlisted_origin')
    return invalidField(
      field,
      'linkAddress',
      'has a host without a public address. Pass a public https link.',
      { cause: error },
    );
  const slow = `has a host that took too long to respond. ${RETRY}`;
  const failure = error.code === 'upstream_timeout' ? slow : FAILURES[reason];
  return invalidField(
    field,
    'linkUnreachable',
    failure ?? `has a host that closed the connection. ${RETRY}`,
    { cause: error },
  );
}

/** Yields the chunks of the file as they arrive. Throws if the file is too large or the connection breaks. */
async function* piecesOf(
  response: HttpResponse,
  link: BoundedLink,
  deadline: number,
): AsyncGenerator<Buffer> {
  let length = 0;
  try {
    for await (const piece of response.body.stream()) {
      length += piece.length;
      if (length > link.mostBytes) throw tooLarge(link);
      yield piece;
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'invalid_input') throw error;
    const problem =
      performance.now() >= deadline
        ? `leads to a file that needs more than ${link.timeoutMs / 60_000} min to transfer. Pass a link to a smaller file or a faster host.`
        : `has a host that stopped after ${length} bytes of the file. ${RETRY}`;
    throw invalidField(link.field, 'linkIncomplete', problem, { cause: error });
  }
}

/**
 * Reads the beginning of the file, before the tool sends anything to the upstream. Throws if the file is empty, or has
 * an unknown type and starts like a web page.
 */
async function begin(pieces: AsyncGenerator<Buffer>, mediaType: string | undefined, field: string) {
  const first = await pieces.next();
  if (first.done === true) throw invalidField(field, 'minBytes', `leads to an empty file. ${DIRECT}`);
  if (mediaType === undefined && /^(\uFEFF)?\s*</.test(first.value.toString('utf8', 0, 100)))
    throw webPage(field);
  return (async function* () {
    yield first.value;
    yield* pieces;
  })();
}

/**
 * Reserves memory for a chunk of the file. If too little is free, the error says that nothing was sent to the upstream.
 */
function takeChunk({ take }: LinkReader, chunkBytes: number): void {
  try {
    take(chunkBytes);
  } catch (cause) {
    const message =
      'The service has too little free memory to read the file, so nothing was sent to the upstream. Retry in a few seconds.';
    throw new ServiceError('unavailable', message, { retryAfter: 1 }, { cause });
  }
}

interface ReadLinkParts {
  readonly send: SendHttp;
  readonly isAllowedOrigin: IsAllowedOrigin;
  /** Maximum size of a linked file in bytes. An input of a tool may set a lower maximum. */
  readonly mostBytes: number;
}

export function createReadLink({ send, isAllowedOrigin, mostBytes }: ReadLinkParts) {
  /** Checks the form of a link (rule N4 in security-rules.md), and returns it without its fragment. */
  function checkLink({ field, url }: Pick<Link, 'field' | 'url'>, { isRedirected = false } = {}): URL {
    const target = url.split('#', 1)[0] ?? '';
    const refused = (problem: string, advice: string) =>
      isRedirected
        ? invalidField(
            field,
            'linkForm',
            `redirects to a URL that ${problem}. Pass a link without redirects.`,
          )
        : invalidField(field, 'linkForm', `${problem}. ${advice}`);
    const problem = urlFormProblem(target);
    if (problem !== undefined) throw refused(problem, 'Pass an absolute https URL.');
    const parsed = new URL(target);
    const isHttps = parsed.protocol === 'https:' && parsed.port === '';
    if (isHttps || isAllowedOrigin(LINK_ORIGINS, parsed.origin)) return parsed;
    throw refused('is not https on port 443', 'Pass an https link.');
  }

  /**
   * Sends GET without credentials, and follows redirects. Each redirect's target passes the same checks as the link.
   */
  async function open(
    link: Link,
    deadline: number,
    { applicationId, signal }: LinkReader,
  ): Promise<HttpResponse> {
    let url = checkLink(link);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await send({
        origin: url.origin,
        path: url.pathname + url.search,
        owner: `links of ${applicationId}`,
        connector: LINK_ORIGINS,
        method: 'GET',
        headers: ['accept', '*/*', 'accept-encoding', 'identity', 'user-agent', 'svc-links'],
        totalMs: deadline - performance.now(),
        signal,
      }).catch((error: unknown) => {
        throw unreachable(link, error);
      });
      const location = String(response.headers['location'] ?? '');
      if (!REDIRECTS.includes(response.status) || !URL.canParse(location, url.href)) return response;
      response.body.destroy();
      url = checkLink({ field: link.field, url: new URL(location, url).href }, { isRedirected: true });
    }
    throw invalidField(link.field, 'linkStatus', `redirects more than ${MAX_REDIRECTS} times. ${DIRECT}`);
  }

  /**
   * Opens the file behind a link, and passes it to `use`. Before that, it checks the address (public, https), the
   * status, the media type and the size. Throws `invalid_input` if it cannot read the link.
   */
  async function readLink<Result>(given: Link, use: Use<Result>, reader: LinkReader): Promise<Result> {
    const link = { ...given, mostBytes: Math.min(given.mostBytes ?? mostBytes, mostBytes) };
    const deadline = performance.now() + link.timeoutMs;
    const response = await open(link, deadline, reader);
    try {
      const { mediaType, size } = checkLinkedResponse(response, link);
      const pieces = await begin(piecesOf(response, link, deadline), mediaType, link.field);
      const chunks = (chunkBytes: number) => {
        takeChunk(reader, chunkBytes);
        return chunksOf(pieces, chunkBytes);
      };
      return await use({ mediaType, size, chunks });
    } finally {
      response.body.destroy();
    }
  }

  return { checkLink, readLink };
}

export type ReadLink = ReturnType<typeof createReadLink>;

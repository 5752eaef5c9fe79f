export interface InnerRequest {
  /** Content-ID of the request. The response part gets a Content-ID that is derived from it. */
  readonly contentId: string | undefined;
  readonly method: string;
  /** URL of the request without a host, because Google's batch endpoints reject absolute URLs. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface InnerResponse {
  readonly contentId: string | undefined;
  readonly status: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const CRLF = '\r\n';
const BOUNDARY = /^multipart\/mixed\s*;(?:[^;]*;)*\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i;
const REQUEST_LINE = /^([A-Z]{1,16}) (\/[^\s]*)(?: HTTP\/[\d.]+)?$/;

function splitHead(text: string): { readonly head: readonly string[]; readonly rest: string } {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => line === '' || line === '\r');
  const head = lines.slice(0, end === -1 ? lines.length : end).map((line) => line.replace(/\r$/, ''));
  return { head, rest: end === -1 ? '' : lines.slice(end + 1).join('\n') };
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const entries = lines.flatMap((line) => {
    const colon = line.indexOf(':');
    if (colon === -1) return [];
    return [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const];
  });
  return Object.fromEntries(entries);
}

function readPart(part: string): InnerRequest | undefined {
  const outer = splitHead(part);
  const { 'content-type': type = '', 'content-id': contentId } = readHeaders(outer.head);
  const { head, rest } = splitHead(outer.rest);
  const [, method, url] = REQUEST_LINE.exec(head[0] ?? '') ?? [];
  if (!type.startsWith('application/http') || method === undefined || url === undefined) return undefined;
  return { contentId, method, url, headers: readHeaders(head.slice(1)), body: Buffer.from(rest, 'latin1') };
}

/**
 * Parses the requests of a `multipart/mixed` body. Returns `undefined` if the body is malformed or contains no request.
 */
export function readParts(body: Buffer, type: string): readonly InnerRequest[] | undefined {
  const [, quoted, bare] = BOUNDARY.exec(type) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return undefined;
  const pieces = `\n${body.toString('latin1')}`.split(`\n--${boundary}`).slice(1);
  // Two dashes after the boundary mark the end of the list. Bodies without this end mark are accepted too.
  const last = pieces.findIndex((piece) => piece.startsWith('--'));
  const parts = (last === -1 ? pieces : pieces.slice(0, last)).map((piece) =>
    readPart(piece.slice(piece.indexOf('\n') + 1).replace(/\r$/, '')),
  );
  const requests = parts.filter((part) => part !== undefined);
  return requests.length > 0 && requests.length === parts.length ? requests : undefined;
}

/** Derives the Content-ID of a response: the response to `<item1>` has the Content-ID `<response-item1>`. */
const responseId = (id: string): string =>
  id.startsWith('<') ? `<response-${id.slice(1)}` : `response-${id}`;

const writeHead = (lines: readonly string[]): string => lines.map((line) => line + CRLF).join('') + CRLF;

export function writeParts(responses: readonly InnerResponse[], boundary: string): Buffer {
  const parts = responses.flatMap(({ contentId, status, reason, headers, body }) => {
    const idHeader = contentId === undefined ? [] : [`Content-ID: ${responseId(contentId)}`];
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return [
      `--${boundary}${CRLF}${writeHead(['Content-Type: application/http', ...idHeader])}`,
      writeHead([`HTTP/1.1 ${status} ${reason}`, ...fields]),
      body,
      CRLF,
    ];
  });
  return Buffer.concat([...parts, `--${boundary}--${CRLF}`].map((piece) => Buffer.from(piece)));
}

import { invalidField, type ServiceError } from '../errors.js';
import type { HttpResponse } from '../http/send-http.js';

/** Link that a caller passed in an input of a tool. The link may be signed, so no error contains it. */
export interface Link {
  /** Name of the input that contains the link. */
  readonly field: string;
  readonly url: string;
  /** Maximum size of the file in bytes. Default and upper bound: `SVC_MAX_UPLOAD`. */
  readonly mostBytes?: number;
  /** Media types that the tool accepts, such as `image/png` or `video/*`. A file of unknown type is always accepted. */
  readonly mediaTypes: readonly string[];
  /** Time limit for reading the file in milliseconds, from the first request to the last byte. */
  readonly timeoutMs: number;
}

/** Link, with the maximum size in bytes of the file behind it. */
export type BoundedLink = Link & { readonly mostBytes: number };

/** Media types that hosts send for a file of unknown type. */
const UNKNOWN_TYPES = ['', 'application/octet-stream', 'binary/octet-stream', 'application/binary'];
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,60}\/[\w!#$&^.+-]{1,60}$/;

export const DIRECT = 'Pass a link that downloads the file itself, without a login.';
export const RETRY = 'Retry later, or pass another link.';

export const tooLarge = ({ field, mostBytes }: BoundedLink): ServiceError =>
  invalidField(
    field,
    'maxBytes',
    `leads to a file of more than ${mostBytes} bytes. Pass a link to a smaller file.`,
  );

const textOf = (value: string | string[] | undefined): string => String(value ?? '').trim();

/**
 * Returns the media type of a linked file, or `undefined` if it is unknown. Throws if the tool does not accept this
 * type.
 */
function mediaTypeOf({ headers }: HttpResponse, { field, mediaTypes }: Link): string | undefined {
  const type = textOf(headers['content-type']).split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (UNKNOWN_TYPES.includes(type)) return undefined;
  if (type === 'text/html' || type === 'application/xhtml+xml') throw webPage(field);
  const [kind] = type.split('/', 1);
  if (MEDIA_TYPE.test(type) && (mediaTypes.includes(type) || mediaTypes.includes(`${kind}/*`))) return type;
  const found = MEDIA_TYPE.test(type) ? type : 'unknown';
  throw invalidField(
    field,
    'linkType',
    `leads to a file of the type ${found}. Pass a link to a file of the type ${mediaTypes.join(' or ')}.`,
  );
}

export const webPage = (field: string): ServiceError =>
  invalidField(field, 'linkType', `leads to a web page instead of a file. ${DIRECT}`);

/**
 * Returns the file size in bytes that the host announces. Throws if the file is too large. Also throws if nothing marks
 * the end of the body, because a broken connection would look like the end.
 */
function sizeOf({ headers }: HttpResponse, link: BoundedLink): number | undefined {
  const coding = textOf(headers['content-encoding']).toLowerCase();
  if (coding !== '' && coding !== 'identity')
    throw invalidField(link.field, 'linkEncoding', `has a host that compresses the file. ${DIRECT}`);
  const length = headers['content-length'];
  if (length !== undefined) {
    const size = Number(length);
    if (size > link.mostBytes) throw tooLarge(link);
    return size;
  }
  if (headers['transfer-encoding'] !== undefined) return undefined;
  throw invalidField(
    link.field,
    'linkIncomplete',
    `has a host that does not mark the end of the file. Pass another link.`,
  );
}

function checkStatus({ status }: HttpResponse, field: string): void {
  if (status === 200) return;
  const advice = status >= 500 || status === 429 ? RETRY : DIRECT;
  throw invalidField(field, 'linkStatus', `has a host that responded with ${status}. ${advice}`);
}

/**
 * Checks the status and the headers of the response with a linked file. Returns the file's media type and size, or
 * `undefined` for each that is unknown.
 */
export function checkLinkedResponse(response: HttpResponse, link: BoundedLink) {
  checkStatus(response, link.field);
  return { mediaType: mediaTypeOf(response, link), size: sizeOf(response, link) };
}

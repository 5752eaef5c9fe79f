import type { IncomingHttpHeaders } from 'node:http';
import { cutText } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { Edit } from '../http/edit.js';
import type { HttpResponse } from '../http/send-http.js';
import type { Links, ProxiedAccount, RequestedTarget } from './links.js';
import { rewriteMcpLinks } from './mcp-links.js';
import { rewriteJsonMembers } from './rewrite-json-members.js';

type ResponseHeaders = Record<string, number | string | string[] | undefined>;

/** Request header by which a caller turns off link rewriting: `svc-links: keep`. */
const CHOICE = 'svc-links';
const ADDRESSES = [
  'location',
  'content-location',
  'operation-location',
  'azure-asyncoperation',
  'x-goog-upload-url',
];

export const wantsOriginalLinks = (headers: IncomingHttpHeaders): boolean => headers[CHOICE] === 'keep';

/** Proxied request, with the data that is needed to rewrite links in its response. */
export interface LinkContext extends ProxiedAccount {
  readonly target: RequestedTarget;
  /** `Host` header of the caller's request. */
  readonly callerHost: string;
  /** True if the caller sent `svc-links: keep`, so that links of the upstream stay unchanged. */
  readonly preservesLinks: boolean;
  /**
   * True if the request is sent to an MCP server, whose responses contain links in other places than those of other
   * upstreams.
   */
  readonly isMcp: boolean;
}

/**
 * Matches an absolute URL that consists of printable ASCII characters. All clients parse such a URL in the same way.
 */
const ABSOLUTE = /^https?:\/\/[\w[][!#-;=?-[\]-~]*$/i;
/**
 * Matches a Link header in which all parsers find the same link targets. Any other Link header is removed, because
 * clients could follow a link that the proxy did not check.
 */
const TARGETS = /^[^<>]*(?:<[^<>]*>[^<>]*)+$/;

/**
 * Rewrites the URL in a response header to the account's proxy if it is reachable there. Any other URL becomes
 * absolute, because clients would resolve a relative one against the service. Returns `undefined` for a URL of the
 * service itself, because the client would send its token there.
 */
function rewriteAddress(link: string, links: Links, context: LinkContext): string | undefined {
  // Decodes the link as UTF-8, because clients do so. Node.js returns response headers as Latin-1.
  const url = URL.parse(Buffer.from(link, 'latin1').toString(), links.toUrl(context.target, context));
  if (url === null) return undefined;
  const written = ABSOLUTE.test(link) ? link : url.href;
  const own = context.preservesLinks
    ? undefined
    : (links.toService(written, context) ?? links.toService(url.href, context));
  return own ?? (links.isOwn(url, context) ? undefined : written);
}

function rewriteTargets(value: string, links: Links, context: LinkContext): string | undefined {
  if (!TARGETS.test(value)) return undefined;
  let isSafe = true;
  const rewritten = value.replace(/<([^<>]*)>/g, (_, target: string) => {
    const address = rewriteAddress(target, links, context);
    isSafe &&= address !== undefined;
    return `<${address}>`;
  });
  return isSafe ? rewritten : undefined;
}

/**
 * Rewrites links in response headers to the account's proxy. Removes links to other parts of the service, so that no
 * upstream can send a client there (rule P8 in security-rules.md).
 */
export function rewriteHeaderLinks(headers: ResponseHeaders, links: Links, context: LinkContext): void {
  for (const name of ADDRESSES) {
    const value = headers[name];
    if (value === undefined) continue;
    // Removes a response header that has two values, because clients differ in which of the two URLs they follow.
    const [link, ...more] = [value].flat();
    headers[name] = more.length > 0 ? undefined : rewriteAddress(String(link), links, context);
    if (headers[name] === undefined) delete headers[name];
  }
  if (headers['link'] === undefined) return;
  const rewritten = [headers['link']]
    .flat()
    .flatMap((value) => rewriteTargets(String(value), links, context) ?? []);
  if (rewritten.length === 0) delete headers['link'];
  else headers['link'] = rewritten.length === 1 ? rewritten[0] : rewritten;
}

/**
 * Rewrites the link in a member of a JSON body, in every spelling that clients parse as an absolute URL, such as one
 * with backslashes or tabs. A link to the service itself becomes a proxy link that always fails with an explanation,
 * because a member cannot be removed like a header.
 */
function rewriteMember(link: string, links: Links, context: LinkContext): string | undefined {
  const rewritten = links.toService(link, context);
  const url = rewritten === undefined ? URL.parse(link) : null;
  if (url === null) return rewritten;
  return (
    links.toService(url.href, context) ??
    (links.isOwn(url, context) ? `${context.proxyUrl}/${url.origin}/` : undefined)
  );
}

/**
 * Changes request headers so that the upstream sends an uncompressed response, because the proxy cannot rewrite links
 * in a compressed body. Input and output are alternating names and values.
 */
export function acceptIdentity(raw: readonly string[]): string[] {
  const headers: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (name.toLowerCase() !== 'accept-encoding') headers.push(name, raw[index + 1] ?? '');
  }
  return [...headers, 'accept-encoding', 'identity'];
}

/**
 * Returns true if the content type is any kind of JSON, such as `text/json`, `application/problem+json` and
 * `application/x-ndjson`.
 */
const isJson = (type: string | string[] | undefined): boolean =>
  typeof type === 'string' && /^[\w.-]+\/[\w.+-]*json/i.test(type);

const isCompressed = ({ 'content-encoding': encoding = '' }: HttpResponse['headers']): boolean =>
  !['', 'identity'].includes(String(encoding).trim().toLowerCase());

const hasBody = ({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>): boolean =>
  status !== 204 && status !== 304 && headers['content-length'] !== '0';

/** Returns true for an uncompressed body without a content type. It may be JSON, because clients guess the type. */
const mayBeJson = ({ headers }: Pick<HttpResponse, 'headers'>): boolean =>
  headers['content-type'] === undefined && !isCompressed(headers);

/** Matches the charsets that encode ASCII characters like ASCII does, so that a byte search finds links in JSON. */
const ASCII_CHARSET = /^(?:utf-?8|us-ascii|ascii|iso-8859-\d+|windows-125\d)$/i;
const CHARSET = /;\s*charset\s*=\s*["']?([^\s;"']*)/i;
/** Returns true for a content type with another charset, such as UTF-16. The proxy cannot find links in such JSON. */
const isUnreadable = (type: string): boolean => !ASCII_CHARSET.test(CHARSET.exec(type)?.[1] ?? 'utf-8');

/** Matches the content types of images, sounds, videos and fonts, in which no client looks for links. */
const WITHOUT_LINKS = /^(?:image|audio|video|font)\//i;

const compressed = (encoding: string): ServiceError =>
  new ServiceError(
    'upstream_failed',
    `The upstream compressed its response (${cutText(encoding, 40)}) although the proxy requested an uncompressed one, so its links cannot be rewritten. Send the header "svc-links: keep" to get the response unchanged.`,
  );

/**
 * Creates the edit that rewrites links in a response body. Returns `undefined` if no links are rewritten. Throws
 * `upstream_failed` if the body is compressed, because a client would send its service token to an upstream link that
 * was not rewritten.
 */
export function rewriteBodyLinks(
  response: Pick<HttpResponse, 'status' | 'headers'>,
  links: Links,
  context: LinkContext,
): Edit | undefined {
  const { status, headers } = response;
  // Leaves a partial response (206) unchanged, because it may begin in the middle of a JSON string.
  if (context.preservesLinks || status === 206 || !hasBody(response)) return undefined;
  const type = headers['content-type'];
  const fields = links.fieldsOf(context.account);
  const edit = context.isMcp
    ? rewriteMcpLinks(type, links, context)
    : (isJson(type) || mayBeJson(response)) && rewriteMembers(fields, links, context);
  if (edit && isCompressed(headers)) throw compressed(String(headers['content-encoding']));
  return edit || undefined;
}

function rewriteMembers(fields: readonly string[], links: Links, context: LinkContext): Edit | undefined {
  if (fields.length === 0) return undefined;
  return rewriteJsonMembers(fields, (link) => rewriteMember(link, links, context));
}

/**
 * Returns true if the response body may contain links that `rewriteBodyLinks` does not find. Such a body is partial
 * (206), not JSON, JSON in UTF-16, or compressed without a content type.
 */
export function hasUncheckedLinks(
  response: Pick<HttpResponse, 'status' | 'headers'>,
  links: Links,
  { account, preservesLinks, isMcp }: LinkContext,
): boolean {
  const { status, headers } = response;
  if (preservesLinks || links.fieldsOf(account).length === 0 || !hasBody(response)) return false;
  const type = headers['content-type'];
  if (status === 206 || (type === undefined && isCompressed(headers))) return true;
  if (type === undefined || isMcp) return false;
  return isJson(type) ? isUnreadable(String(type)) : !WITHOUT_LINKS.test(String(type));
}

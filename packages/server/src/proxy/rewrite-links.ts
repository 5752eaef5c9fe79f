import type { IncomingHttpHeaders } from 'node:http';
import { cutText } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { HttpResponse } from '../http/send-http.js';
import type { Edit } from './edit-json.js';
import type { Links, ProxiedAccount, RequestedTarget } from './links.js';
import { rewriteMcpLinks } from './mcp-links.js';
import { rewriteJson } from './rewrite-json.js';

type ResponseHeaders = Record<string, number | string | string[] | undefined>;

/** A caller sends `svc-links: keep` to get the upstream's own links. */
const CHOICE = 'svc-links';
const ADDRESSES = [
  'location',
  'content-location',
  'operation-location',
  'azure-asyncoperation',
  'x-goog-upload-url',
];

export const keepsLinks = (headers: IncomingHttpHeaders): boolean => headers[CHOICE] === 'keep';

/** The request whose response has its links rewritten. */
export interface LinkContext extends ProxiedAccount {
  readonly target: RequestedTarget;
  /** Header `Host` of the caller's request. */
  readonly callerHost: string;
  /** True when the caller wants the upstream's own links. */
  readonly keeps: boolean;
  /** True when the target speaks MCP and the caller wants links of the service. */
  readonly isMcp: boolean;
}

/** Matches an absolute URL that every client reads alike. */
const ABSOLUTE = /^https?:\/\/[\w[][!#-;=?-[\]-~]*$/i;
/** Matches a Link header whose targets begin and end at the same characters for every reader. */
const TARGETS = /^[^<>]*(?:<[^<>]*>[^<>]*)+$/;

/**
 * Rewrites an address of a response to the service. Makes any other address absolute, because clients resolve relative ones against the
 * service. `undefined` for an address of the service itself, where the client would send its token.
 */
function rewriteAddress(link: string, links: Links, context: LinkContext): string | undefined {
  // Clients read bytes beyond ASCII as UTF-8.
  const url = URL.parse(Buffer.from(link, 'latin1').toString(), links.toUrl(context.target, context));
  if (url === null) return undefined;
  const written = ABSOLUTE.test(link) ? link : url.href;
  const own = context.keeps
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

/** Rewrites the links in the headers of a response, and drops those that lead elsewhere in the service (rule P8). */
export function rewriteHeaderLinks(headers: ResponseHeaders, links: Links, context: LinkContext): void {
  for (const name of ADDRESSES) {
    const value = headers[name];
    if (value === undefined) continue;
    // Clients differ on which of two addresses they follow.
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

/** Rewrites a link to the service into one to the account's proxy, which refuses it with a reason. A member cannot be dropped. */
function toRefused(link: string, links: Links, context: LinkContext): string | undefined {
  const url = URL.parse(link);
  return url && links.isOwn(url, context) ? `${context.proxyUrl}/${url.origin}/` : undefined;
}

/** Asks for an uncompressed response, whose links can be read. Takes and returns names and values, alternating. */
export function acceptIdentity(raw: readonly string[]): string[] {
  const headers: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (name.toLowerCase() !== 'accept-encoding') headers.push(name, raw[index + 1] ?? '');
  }
  return [...headers, 'accept-encoding', 'identity'];
}

/** Checks for JSON in any of its types, such as `text/json`, `application/problem+json` and `application/x-ndjson`. */
const isJson = (type: string | string[] | undefined): boolean =>
  typeof type === 'string' && /^[\w.-]+\/[\w.+-]*json/i.test(type);

const compressed = (encoding: string): ServiceError =>
  new ServiceError(
    'upstream_failed',
    `The upstream compressed its answer (${cutText(encoding, 40)}), although the proxy asked for none, so that its links cannot be rewritten. Send the header svc-links: keep to get the answer as it is.`,
  );

/**
 * Creates the edit that rewrites the links of a body; `undefined` for a body without links. Throws upstream_failed for a compressed one: a
 * client would send its token of the service to an upstream link.
 */
export function rewriteBodyLinks(
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  links: Links,
  context: LinkContext,
): Edit | undefined {
  const encoding = headers['content-encoding'];
  // A part of a document may begin anywhere in it.
  if (context.keeps || status === 206) return undefined;
  const type = headers['content-type'];
  const fields = links.fieldsOf(context.account);
  const edit = context.isMcp
    ? rewriteMcpLinks(type, links, context)
    : isJson(type) && rewriteMembers(fields, links, context);
  if (edit && encoding !== undefined && encoding !== 'identity') throw compressed(String(encoding));
  return edit || undefined;
}

function rewriteMembers(fields: readonly string[], links: Links, context: LinkContext): Edit | undefined {
  if (fields.length === 0) return undefined;
  return rewriteJson(fields, (link) => links.toService(link, context) ?? toRefused(link, links, context));
}

import type { IncomingHttpHeaders } from 'node:http';
import type { HttpResponse } from '../http/send.js';
import type { Edit } from './edit-json.js';
import type { AskedFor, LinkPlace, Links } from './links.js';
import { leadMcpBack } from './mcp-links.js';
import { rewriteJson } from './rewrite-json.js';

type ResponseHeaders = Record<string, number | string | string[] | undefined>;

/** A caller who wants the upstream's own links says `svc-links: keep`. */
const CHOICE = 'svc-links';
const ADDRESSES = [
  'location',
  'content-location',
  'operation-location',
  'azure-asyncoperation',
  'x-goog-upload-url',
];

export const keepsLinks = (headers: IncomingHttpHeaders): boolean => headers[CHOICE] === 'keep';

export interface AskedPlace extends LinkPlace {
  readonly asked: AskedFor;
  /** The `Host` of the caller. */
  readonly calledAs: string;
  /** The caller wants the upstream's own links. */
  readonly keeps: boolean;
  /** What was asked for speaks MCP there, and the caller wants its links. */
  readonly isMcp: boolean;
}

/** Absolute, and read alike by every client. */
const ABSOLUTE = /^https?:\/\/[\w[][!#-;=?-[\]-~]*$/i;
/** What readers do not differ on: where each target begins and ends. */
const TARGETS = /^[^<>]*(?:<[^<>]*>[^<>]*)+$/;

/**
 * An address of an answer as the caller may have it: led back, or the upstream's own and absolute, as a client would take a
 * relative one from the URL of the service. `undefined` for one that leads to the service, where the client shows its token.
 */
function leadAddress(link: string, links: Links, at: AskedPlace): string | undefined {
  // Clients take what is no ASCII for UTF-8.
  const url = URL.parse(Buffer.from(link, 'latin1').toString(), links.toUrl(at.asked, at));
  if (url === null) return undefined;
  const written = ABSOLUTE.test(link) ? link : url.href;
  const led = at.keeps ? undefined : (links.toService(written, at) ?? links.toService(url.href, at));
  return led ?? (links.isOwn(url, at) ? undefined : written);
}

function leadTargets(value: string, links: Links, at: AskedPlace): string | undefined {
  if (!TARGETS.test(value)) return undefined;
  let isSafe = true;
  const led = value.replace(/<([^<>]*)>/g, (_, target: string) => {
    const address = leadAddress(target, links, at);
    isSafe &&= address !== undefined;
    return `<${address}>`;
  });
  return isSafe ? led : undefined;
}

/** Leads the links of an answer's headers back to the service; what would lead elsewhere in it is dropped (rule P8). */
export function leadHeadersBack(answered: ResponseHeaders, links: Links, at: AskedPlace): void {
  for (const name of ADDRESSES) {
    const value = answered[name];
    if (value === undefined) continue;
    // Of two addresses each client takes another one.
    const [link, ...more] = [value].flat();
    answered[name] = more.length > 0 ? undefined : leadAddress(String(link), links, at);
    if (answered[name] === undefined) delete answered[name];
  }
  if (answered['link'] === undefined) return;
  const led = [answered['link']].flat().flatMap((value) => leadTargets(String(value), links, at) ?? []);
  if (led.length === 0) delete answered['link'];
  else answered['link'] = led.length === 1 ? led[0] : led;
}

/** A member cannot be dropped: one that leads to the service leads to the account's proxy, which refuses it and says why. */
function refused(link: string, links: Links, at: AskedPlace): string | undefined {
  const url = URL.parse(link);
  return url && links.isOwn(url, at) ? `${at.place}/${url.origin}/` : undefined;
}

/** Header names and values in turn, so that the answer comes in a form in which its links can be read. */
export function askReadable(raw: readonly string[]): string[] {
  const asked: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (name.toLowerCase() !== 'accept-encoding') asked.push(name, raw[index + 1] ?? '');
  }
  return [...asked, 'accept-encoding', 'identity'];
}

const isJson = (type: string | string[] | undefined): boolean =>
  typeof type === 'string' && /^application\/(?:[\w.+-]+\+)?json\b/i.test(type);

/** What leads the links of a body back on its way; `undefined` for a body that holds none, or that cannot be read. */
export function leadBodyBack(
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  links: Links,
  at: AskedPlace,
): Edit | undefined {
  const encoding = headers['content-encoding'];
  const isReadable = encoding === undefined || encoding === 'identity';
  // A part of a document may begin anywhere in it.
  if (at.keeps || status === 206 || !isReadable) return undefined;
  const type = headers['content-type'];
  if (at.isMcp) {
    return leadMcpBack(type, links, at);
  }
  const fields = links.fieldsOf(at.account);
  if (fields.length === 0 || !isJson(type)) return undefined;
  return rewriteJson(fields, (link) => links.toService(link, at) ?? refused(link, links, at));
}

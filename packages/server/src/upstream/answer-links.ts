import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import type { HttpResponse } from '../http/send.js';
import { toTransform } from './edit-body.js';
import type { LinkPlace, Links } from './links.js';
import { leadMcpBack } from './mcp-links.js';
import { rewriteJson } from './rewrite-json.js';

type AnswerHeaders = Record<string, number | string | string[] | undefined>;

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
  /** What was asked for speaks MCP there. */
  readonly isMcp: boolean;
}

/** Leads the links of an answer's headers back to the service. */
export function leadHeadersBack(answered: AnswerHeaders, links: Links, at: LinkPlace): void {
  for (const name of ADDRESSES) {
    const link = answered[name];
    const led = typeof link === 'string' ? links.toService(link, at) : undefined;
    if (led !== undefined) answered[name] = led;
  }
  const { link } = answered;
  if (typeof link !== 'string') return;
  answered['link'] = link.replace(/<([^<>]*)>/g, (whole, target: string) => {
    const led = links.toService(target, at);
    return led === undefined ? whole : `<${led}>`;
  });
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
  { isMcp, ...at }: AskedPlace,
): Transform | undefined {
  const encoding = headers['content-encoding'];
  const isReadable = encoding === undefined || encoding === 'identity';
  // A part of a document may begin anywhere in it.
  if (status === 206 || !isReadable) return undefined;
  const type = headers['content-type'];
  if (isMcp) {
    const edit = leadMcpBack(type, links, at);
    return edit && toTransform(edit);
  }
  const fields = links.fieldsOf(at.account);
  if (fields.length === 0 || !isJson(type)) return undefined;
  return rewriteJson(fields, (link) => links.toService(link, at));
}

import type { IncomingHttpHeaders } from 'node:http';
import type { OpenedBody } from '../upstream/forward.js';
import { editBody } from './edit-body.js';
import { editEvents } from './edit-events.js';
import { type Edit, editJson, type Rewrite } from './edit-json.js';
import type { LinkPlace, Links } from './links.js';

/** Where a server names resources: in content, in what is read, in lists, and where it says that one has changed. */
const TOLD: ReadonlySet<string> = new Set([
  'result.content.*.uri',
  'result.content.*.resource.uri',
  'result.messages.*.content.uri',
  'result.messages.*.content.resource.uri',
  'result.contents.*.uri',
  'result.resources.*.uri',
  'params.uri',
]);
/** Where a client does: to read one, to hear of its changes, and in what it gives to tools and prompts, or has completed. */
const ASKED: ReadonlySet<string> = new Set([
  'params.uri',
  'params.arguments.**',
  'params.argument.value',
  'params.context.arguments.**',
]);
/** The same in the head of a request of 2026-07-28, which has to say what its body says. */
const NAMES = /^mcp-(?:name|param-.+)$/i;
/** What is no ASCII stands there so. */
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/** Opens by itself, for whoever has it. */
const SIGNED = /[?&](?:[\w-]*signature|sig|tempauth)=/i;
const JSON_TYPE = /^application\/json\b/i;
const EVENTS = /^text\/event-stream\b/i;

/** What leads the links of an MCP server's answer back; `undefined` for what is none. */
export function leadMcpBack(type: unknown, links: Links, at: LinkPlace): Edit | undefined {
  const toService = (uri: string): string | undefined => {
    const led = SIGNED.test(uri) ? undefined : links.toService(uri, at);
    // The server knows a resource by every letter of its name: what would not come back as it was stays.
    return led !== undefined && links.toUpstream(led, at) === uri ? led : undefined;
  };
  const create = () => editJson(TOLD, toService);
  if (typeof type !== 'string') return undefined;
  if (EVENTS.test(type)) return editEvents(create);
  return JSON_TYPE.test(type) ? create() : undefined;
}

function rewriteHeader(value: string, rewrite: Rewrite): string {
  const [, encoded] = ENCODED.exec(value) ?? [];
  if (encoded === undefined) return rewrite(value) ?? value;
  const fresh = rewrite(Buffer.from(encoded, 'base64').toString());
  return fresh === undefined ? value : `=?base64?${Buffer.from(fresh).toString('base64')}?=`;
}

/** The headers of a message to an MCP server, with the upstream's own names of what they name; names and values in turn. */
export const nameUpstream = (raw: readonly string[], links: Links, at: LinkPlace): string[] =>
  raw.map((value, index) => {
    const isValue = index % 2 === 1 && NAMES.test(raw[index - 1] ?? '');
    return isValue ? rewriteHeader(value, (name) => links.toUpstream(name, at)) : value;
  });

/** The body of a message to an MCP server, with the upstream's own names of resources and its own links. */
export function askUpstream(
  { body, contentLength }: OpenedBody,
  headers: IncomingHttpHeaders,
  { links, at }: { readonly links: Links; readonly at: LinkPlace },
): OpenedBody {
  const isReadable = (headers['content-encoding'] ?? 'identity') === 'identity';
  if (body === undefined || !isReadable || !JSON_TYPE.test(headers['content-type'] ?? ''))
    return { body, contentLength };
  return {
    body: editBody(
      body,
      editJson(ASKED, (uri) => links.toUpstream(uri, at)),
    ),
  };
}

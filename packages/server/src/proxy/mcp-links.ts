import type { IncomingHttpHeaders } from 'node:http';
import type { Edit } from '../http/edit.js';
import type { OpenedBody } from '../upstream/forward.js';
import { editBody } from './edit-body.js';
import { editEvents } from './edit-events.js';
import type { Links, ProxiedAccount } from './links.js';
import type { Rewrite } from './rewrite.js';
import { rewriteJsonPaths } from './rewrite-json-paths.js';

/**
 * Paths of resource URIs in JSON messages from an MCP server: in content, in read resources, in lists and in
 * notifications.
 */
const SERVER_URIS: ReadonlySet<string> = new Set([
  'result.content.*.uri',
  'result.content.*.resource.uri',
  'result.messages.*.content.uri',
  'result.messages.*.content.resource.uri',
  'result.contents.*.uri',
  'result.resources.*.uri',
  'params.uri',
]);
/**
 * Paths of resource URIs in JSON messages from an MCP client: in resource requests, and in arguments of tools, prompts
 * and completions.
 */
const CLIENT_URIS: ReadonlySet<string> = new Set([
  'params.uri',
  'params.arguments.**',
  'params.argument.value',
  'params.context.arguments.**',
]);
/**
 * Matches the names of HTTP headers that repeat URIs from the request body, as MCP revision 2026-07-28 defines them.
 */
const URI_HEADERS = /^mcp-(?:name|param-.+)$/i;
/** Matches a request header value that an MCP client encoded as Base64, because it has characters beyond ASCII. */
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/**
 * Matches a signed URL. The proxy does not rewrite it, because its signature authorizes requests without a service
 * token.
 */
const SIGNED = /[?&](?:[\w-]*signature|sig|tempauth)=/i;
const JSON_TYPE = /^application\/json\b/i;
const EVENTS = /^text\/event-stream\b/i;

/**
 * Creates the edit that converts upstream links in an MCP server's response to proxy links. Returns `undefined` unless
 * the content type is JSON or SSE.
 */
export function rewriteMcpLinks(type: unknown, links: Links, proxied: ProxiedAccount): Edit | undefined {
  const toService = (uri: string): string | undefined => {
    const rewritten = SIGNED.test(uri) ? undefined : links.toService(uri, proxied);
    // Keeps a URI unchanged if the proxy could not restore it exactly in a later request, because MCP servers compare
    // resource URIs byte by byte.
    return rewritten !== undefined && links.toUpstream(rewritten, proxied) === uri ? rewritten : undefined;
  };
  const create = () => rewriteJsonPaths(SERVER_URIS, toService);
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

/**
 * Converts proxy links in the headers of a request to an MCP server back to upstream URIs. `raw`: alternating header
 * names and values.
 */
export const restoreMcpHeaders = (raw: readonly string[], links: Links, proxied: ProxiedAccount): string[] =>
  raw.map((value, index) => {
    const isValue = index % 2 === 1 && URI_HEADERS.test(raw[index - 1] ?? '');
    return isValue ? rewriteHeader(value, (uri) => links.toUpstream(uri, proxied)) : value;
  });

interface McpMessage {
  readonly headers: IncomingHttpHeaders;
  readonly links: Links;
  readonly proxied: ProxiedAccount;
}

/** Converts proxy links in the JSON body of a request to an MCP server back to upstream URIs. */
export function restoreMcpBody(
  { body, contentLength }: OpenedBody,
  { headers, links, proxied }: McpMessage,
): OpenedBody {
  const isReadable = (headers['content-encoding'] ?? 'identity') === 'identity';
  if (body === undefined || !isReadable || !JSON_TYPE.test(headers['content-type'] ?? ''))
    return { body, contentLength };
  return {
    body: editBody(
      body,
      rewriteJsonPaths(CLIENT_URIS, (uri) => links.toUpstream(uri, proxied)),
    ),
  };
}

import type { IncomingHttpHeaders } from 'node:http';
import type { Edit } from '../http/edit.js';
import type { OpenedBody } from '../upstream/forward.js';
import { editBody } from './edit-body.js';
import { editEvents } from './edit-events.js';
import type { Links, ProxiedAccount } from './links.js';
import type { Rewrite } from './rewrite.js';
import { rewriteJsonPaths } from './rewrite-json-paths.js';

/**
 * JSON paths of resource URIs in messages from an MCP server: in content, in read resources, in lists and in
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
 * JSON paths of resource URIs in messages from an MCP client: resource requests and arguments of tools, prompts and
 * completions.
 */
const CLIENT_URIS: ReadonlySet<string> = new Set([
  'params.uri',
  'params.arguments.**',
  'params.argument.value',
  'params.context.arguments.**',
]);
/** HTTP headers that repeat URIs of the request body. MCP revision 2026-07-28 introduces these headers. */
const URI_HEADERS = /^mcp-(?:name|param-.+)$/i;
/** Matches a request header value that MCP clients encode as Base64, because the value has characters beyond ASCII. */
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/**
 * Matches a signed URL. A signed URL is not rewritten, because it authorizes its bearer without a token of the service.
 */
const SIGNED = /[?&](?:[\w-]*signature|sig|tempauth)=/i;
const JSON_TYPE = /^application\/json\b/i;
const EVENTS = /^text\/event-stream\b/i;

/**
 * Creates the edit that rewrites upstream links in the response of an MCP server to proxy links. Returns `undefined`
 * for a content type other than JSON and SSE.
 */
export function rewriteMcpLinks(type: unknown, links: Links, proxied: ProxiedAccount): Edit | undefined {
  const toService = (uri: string): string | undefined => {
    const rewritten = SIGNED.test(uri) ? undefined : links.toService(uri, proxied);
    // MCP servers compare resource URIs byte by byte. A URI stays unchanged if the proxy could not restore it exactly
    // in a later request.
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

/** Restores upstream URIs in the headers of a request to an MCP server. `raw` alternates header names and values. */
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

/** Restores upstream URIs in the JSON body of a request to an MCP server. */
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

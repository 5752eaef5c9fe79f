import type { IncomingMessage } from 'node:http';
import { isJsonObject, type JsonObject } from '@svc/catalog';
import { readAccept } from '../text/accept.js';
import { DRY_RUN_META } from './read-dry-run.js';

/**
 * `tools/list` or `tools/call` request that this service handles itself, because it uses no feature that needs the MCP
 * library.
 */
export interface PlainRequest {
  readonly id: number | string;
  /** Tool name and input of `tools/call`. Absent in a `tools/list` request. */
  readonly call?: { readonly name: string; readonly input: JsonObject } | undefined;
  /** True for MCP 2026-07-28, the version without `initialize`. */
  readonly isModern: boolean;
  readonly wantsProgress: boolean;
  /** True if the Accept header names `text/event-stream` or `text/*`. */
  readonly takesStream: boolean;
  /** True if the client can open an authorization link in the user's browser. */
  readonly opensLinks: boolean;
}

export const REVISION = '2026-07-28';
const BEFORE = ['2025-11-25', '2025-06-18'];
const PREFIX = 'io.modelcontextprotocol/';
const VERSION = `${PREFIX}protocolVersion`;
export const CAPABILITIES = `${PREFIX}clientCapabilities`;
const CLIENT = `${PREFIX}clientInfo`;
const PLAIN_META = ['progressToken', DRY_RUN_META];
const MODERN_META = [VERSION, CAPABILITIES, CLIENT, ...PLAIN_META];
const METHODS = ['tools/list', 'tools/call'];

const hasOnly = (object: JsonObject, keys: readonly string[]): boolean =>
  Object.keys(object).every((key) => keys.includes(key));

export const isId = (id: unknown): id is number | string =>
  typeof id === 'string' || Number.isSafeInteger(id);

const isClient = (info: unknown): boolean =>
  info === undefined ||
  (isJsonObject(info) &&
    hasOnly(info, ['name', 'version']) &&
    typeof info['name'] === 'string' &&
    typeof info['version'] === 'string');

const hasCapabilities = (capabilities: unknown): capabilities is JsonObject =>
  isJsonObject(capabilities) && Object.values(capabilities).every(isJsonObject);

const STREAM_RANGES = ['text/event-stream', 'text/*'];
// Some clients write `*` for `*/*`.
const JSON_RANGES = ['application/json', 'application/*', '*/*', '*'];

type AcceptEntries = ReturnType<typeof readAccept>;

const readAcceptOf = ({ accept }: IncomingMessage['headers']): AcceptEntries =>
  readAccept(accept).filter(({ name }) => name !== '');

function allows(given: AcceptEntries, ranges: readonly string[]): boolean {
  // Finds the first of `ranges` in the Accept header. `ranges` begins with the most specific media range, whose weight
  // overrides those of less specific ranges.
  const match = ranges
    .map((range) => given.find(({ name }) => name === range))
    .find((each) => each !== undefined);
  return (match?.weight ?? 0) > 0;
}

/**
 * True if the Accept header allows JSON (RFC 9110, section 12.5.1). A request without this header allows every type.
 */
export function takesJson(headers: IncomingMessage['headers']): boolean {
  const given = readAcceptOf(headers);
  return given.length === 0 || allows(given, JSON_RANGES);
}

/** True if the Accept header names event streams. All other clients get JSON, because they may not read streams. */
export const takesStream = (headers: IncomingMessage['headers']): boolean =>
  allows(readAcceptOf(headers), STREAM_RANGES);

/** True for an MCP 2026-07-28 request whose headers repeat its body correctly: version, method and tool name. */
function isModern(
  headers: IncomingMessage['headers'],
  { method, meta, name }: { method: unknown; meta: JsonObject; name: unknown },
) {
  return (
    headers['mcp-protocol-version'] === REVISION &&
    meta[VERSION] === REVISION &&
    hasCapabilities(meta[CAPABILITIES]) &&
    isClient(meta[CLIENT]) &&
    headers['mcp-method'] === method &&
    headers['mcp-name'] === name
  );
}

const isBefore = (headers: IncomingMessage['headers'], meta: JsonObject): boolean =>
  BEFORE.includes(String(headers['mcp-protocol-version'])) && hasOnly(meta, PLAIN_META);

/** True if the client's capabilities include URL elicitation: the client can open a link in the user's browser. */
export function opensLinks(capabilities: unknown): boolean {
  const elicitation = isJsonObject(capabilities) ? capabilities['elicitation'] : undefined;
  return isJsonObject(elicitation) && isJsonObject(elicitation['url']);
}

/**
 * Parses a `tools/list` or `tools/call` request that has only the usual properties and headers. Returns `undefined` for
 * every other request, valid or not, which the MCP library then serves.
 */
export function readPlainRequest({ headers }: IncomingMessage, body: unknown): PlainRequest | undefined {
  if (!isJsonObject(body) || !hasOnly(body, ['jsonrpc', 'id', 'method', 'params'])) return undefined;
  const { jsonrpc, id, method, params = {} } = body;
  if (jsonrpc !== '2.0' || !isId(id) || !METHODS.includes(String(method)) || !isJsonObject(params))
    return undefined;
  const isCall = method === 'tools/call';
  if (!hasOnly(params, isCall ? ['name', 'arguments', '_meta'] : ['_meta'])) return undefined;
  const { name, arguments: input = {}, _meta: meta = {} } = params;
  if (isCall !== (typeof name === 'string') || !isJsonObject(input) || !isJsonObject(meta)) return undefined;
  if (!takesJson(headers) || !hasOnly(meta, MODERN_META)) return undefined;
  const modern = isModern(headers, { method, meta, name });
  if (!modern && !isBefore(headers, meta)) return undefined;
  const { progressToken } = meta;
  if (progressToken !== undefined && !isId(progressToken)) return undefined;
  return {
    id,
    call: typeof name === 'string' ? { name, input } : undefined,
    isModern: modern,
    wantsProgress: progressToken !== undefined,
    takesStream: takesStream(headers),
    opensLinks: modern && opensLinks(meta[CAPABILITIES]),
  };
}

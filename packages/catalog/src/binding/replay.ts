import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonSchema } from '../json-schema.js';
import { type Example, requestsOf, type SentRequest, type ToolVersion } from '../tool.js';
import { type BoundRequest, bindArguments } from './bind-request.js';
import { type McpResult, mcpData } from './mcp-data.js';
import { play } from './play.js';
import { dataOf } from './read-response.js';

/**
 * Result of a replayed tool example: the upstream requests made from the example's input, and the data made from its
 * responses.
 */
export interface Replay {
  readonly sent: readonly (BoundRequest | SentRequest)[];
  /** Data for the caller. Undefined if the example lacks an upstream response. */
  readonly data: unknown;
}

/**
 * Replays a tool's example offline with the request templates of its tool version. Returns undefined for a version that
 * a handler in the service's code implements.
 */
export function replay(
  version: ToolVersion,
  example: Example,
  { input, schema }: { readonly input: JsonObject; readonly schema: JsonSchema },
): Replay | undefined {
  const replies = example.replies ?? (example.reply === undefined ? [] : [example.reply]);
  if (version.mcp) {
    const { tool, json } = version.mcp;
    const sent = [{ method: 'MCP', path: tool, body: { arguments: bindArguments(version.mcp, input) } }];
    const [reply] = replies;
    if (!isMcpResult(reply)) return { sent, data: undefined };
    return { sent, data: dataOf(version.response, { input, response: mcpData(reply, { json }) }) };
  }
  if (version.handler) return undefined;
  const steps = play({ ...version, requests: requestsOf(version) }, { input, schema });
  const sent: BoundRequest[] = [];
  let step = steps.next();
  while (!step.done) {
    const { idempotencyHeader: _, ...request } = step.value;
    sent.push(request);
    if (sent.length > replies.length) return { sent, data: undefined };
    const headers = example.replyHeaders ?? {};
    step = steps.next({ body: replies[sent.length - 1], headers });
  }
  return { sent, data: step.value };
}

const isMcpResult = (reply: unknown): reply is McpResult =>
  isJsonObject(reply) && Array.isArray(reply['content']);

/**
 * Checks whether two upstream requests are equal when sent. Undefined values are not sent, and an empty query equals no
 * query.
 */
export const isSameRequest = (a: BoundRequest | SentRequest, b: BoundRequest | SentRequest): boolean =>
  isSameJson(onTheWire(a), onTheWire(b));

const onTheWire = ({ query = {}, headers = {}, ...request }: BoundRequest | SentRequest) => ({
  ...request,
  query,
  headers,
});

/** Checks whether two values are equal as JSON. */
export const isSameJson = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a), plain(b));

const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

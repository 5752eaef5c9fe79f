import {
  isFailure,
  modernEnd,
  modernResultText,
  type Outcome,
  resultText,
  type ServerInfo,
} from './outcome.js';
import type { PlainRequest } from './plain-request.js';

/**
 * Cache hints for `tools/list`: 5 minutes, per client. The list changes only with the token's limits and the
 * application's connections.
 */
export const LIST_HINTS = { ttlMs: 300_000, cacheScope: 'private' } as const;

/**
 * Returns the parameters that ask an MCP client to open an authorization link for its user. The client repeats the tool
 * call afterwards.
 */
export const linkParams = ({ url, message }: { readonly url: string; readonly message: string }) => ({
  url,
  message: `${message} Open the link to connect the account.`,
});

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;

interface RpcError {
  /** Id of the JSON-RPC request. Absent if the body could not be parsed. */
  readonly id?: unknown;
  readonly code: number;
  readonly message: string;
}

/** Returns the JSON of a JSON-RPC error response. */
export const rpcError = ({ id = null, code, message }: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });

/**
 * Returns the start of a JSON-RPC response. The caller appends the result and a closing brace, so that large results
 * are not serialized again.
 */
export const rpcResult = (id: number | string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;

/** Returns the JSON of the response to a `tools/call` request that is handled without the MCP library. */
export function callResponse(outcome: Outcome, { id, isModern, opensLinks }: PlainRequest, info: ServerInfo) {
  if (isFailure(outcome) && outcome.link && opensLinks) {
    const { _meta } = modernEnd(info);
    const params = { ...linkParams(outcome.link), mode: 'url' };
    const inputRequests = { connect: { method: 'elicitation/create', params } };
    return `${rpcResult(id)}${JSON.stringify({ resultType: 'input_required', inputRequests, _meta })}}`;
  }
  return `${rpcResult(id)}${isModern ? modernResultText(outcome, info) : resultText(outcome)}}`;
}

/** Returns the JSON of the response to a `tools/list` request that is handled without the MCP library. */
export function listResponse(list: Buffer, { id, isModern }: PlainRequest, info: ServerInfo): Buffer {
  const end = isModern ? `,${JSON.stringify({ ...LIST_HINTS, ...modernEnd(info) }).slice(1)}` : '}';
  return Buffer.concat([Buffer.from(`${rpcResult(id)}{"tools":`), list, Buffer.from(`${end}}`)]);
}

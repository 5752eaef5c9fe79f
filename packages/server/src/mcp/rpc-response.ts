import {
  isFailure,
  modernEnd,
  modernResultText,
  type Outcome,
  resultText,
  type ServerInfo,
} from './outcome.js';
import type { PlainRequest } from './plain-request.js';

/** A list may be cached, because it changes only with limits and connections. */
export const LIST_HINTS = { ttlMs: 300_000, cacheScope: 'private' } as const;

/** Asks a client to open a link for its user. The client then repeats the call. */
export const linkParams = ({ url, message }: { readonly url: string; readonly message: string }) => ({
  url,
  message: `${message} Open the link to approve it.`,
});

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;

interface RpcError {
  /** Id of the request, where it is known. */
  readonly id?: unknown;
  readonly code: number;
  readonly message: string;
}

/** JSON of the response to a message that cannot be served. */
export const rpcError = ({ id = null, code, message }: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });

/** Beginning of the JSON of a response; a result and a closing brace follow. */
export const rpcResult = (id: number | string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;

/** JSON of the response to a plain call. */
export function callResponse(outcome: Outcome, { id, isModern, opensLinks }: PlainRequest, info: ServerInfo) {
  if (isFailure(outcome) && outcome.link && opensLinks) {
    const { _meta } = modernEnd(info);
    const params = { ...linkParams(outcome.link), mode: 'url' };
    const inputRequests = { connect: { method: 'elicitation/create', params } };
    return `${rpcResult(id)}${JSON.stringify({ resultType: 'input_required', inputRequests, _meta })}}`;
  }
  return `${rpcResult(id)}${isModern ? modernResultText(outcome, info) : resultText(outcome)}}`;
}

/** JSON of the response to a plain request for the list of tools. */
export function listResponse(list: Buffer, { id, isModern }: PlainRequest, info: ServerInfo): Buffer {
  const end = isModern ? `,${JSON.stringify({ ...LIST_HINTS, ...modernEnd(info) }).slice(1)}` : '}';
  return Buffer.concat([Buffer.from(`${rpcResult(id)}{"tools":`), list, Buffer.from(`${end}}`)]);
}

import { type Answer, isFailed, modernEnd, modernResultText, resultText, type ServerInfo } from './answer.js';
import type { PlainRequest } from './plain-request.js';

/** Lists stay as they are while limits and connections do. */
export const LIST_HINTS = { ttlMs: 300_000, cacheScope: 'private' } as const;

/** Asks a client to open a link for its user; the same call again tells whether that was enough. */
export const linkParams = ({ url, message }: { readonly url: string; readonly message: string }) => ({
  url,
  message: `${message} Open the link to approve it.`,
});

const open = (id: number | string): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;

/** JSON of the response to a plain call. */
export function callResponse(answer: Answer, { id, isModern, opensLinks }: PlainRequest, info: ServerInfo) {
  if (isFailed(answer) && answer.link && opensLinks) {
    const { _meta } = modernEnd(info);
    const params = { ...linkParams(answer.link), mode: 'url' };
    const inputRequests = { connect: { method: 'elicitation/create', params } };
    return `${open(id)}${JSON.stringify({ resultType: 'input_required', inputRequests, _meta })}}`;
  }
  return `${open(id)}${isModern ? modernResultText(answer, info) : resultText(answer)}}`;
}

/** The response to a plain request for the list. */
export function listResponse(list: Buffer, { id, isModern }: PlainRequest, info: ServerInfo): Buffer {
  const end = isModern ? `,${JSON.stringify({ ...LIST_HINTS, ...modernEnd(info) }).slice(1)}` : '}';
  return Buffer.concat([Buffer.from(`${open(id)}{"tools":`), list, Buffer.from(`${end}}`)]);
}

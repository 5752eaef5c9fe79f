import { type IncomingHttpHeaders, request } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

export interface RawRequest {
  readonly method: string;
  /** Alternating header names and values, sent unchanged, because `fetch` would refuse some of these headers. */
  readonly headers: readonly string[];
  readonly body?: string | Buffer | Readable;
}

export interface RawReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export function sendRaw(url: string, { method, headers, body }: RawRequest): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const given = ['host', new URL(url).host, ...headers];
    const sent = request(url, { method, agent: false, headers: given }, (response) => {
      const { headers, statusCode: status = 0 } = response;
      text(response).then((payload) => resolve({ status, headers, text: payload }), reject);
    });
    sent.on('error', reject);
    if (typeof body === 'object' && 'pipe' in body) body.pipe(sent);
    else sent.end(body);
  });
}

import type { ApiRequest } from '../front/api-request.js';
import { SLICE, toSlices } from '../listener/slices.js';

/** Sends a JSON response of the MCP endpoint. */
export function sendJson({ headers, response }: ApiRequest, status: number, text: Buffer | string): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  headers['content-type'] = 'application/json';
  headers['cache-control'] = 'no-store';
  headers['content-length'] = bytes.length;
  response.writeHead(status, headers);
  if (bytes.length <= SLICE) response.end(bytes);
  else toSlices(bytes).pipe(response);
}

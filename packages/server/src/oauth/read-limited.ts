import { OAuthError } from './oauth-error.js';

const LIMIT = 64 * 1024;

/** The body as text. Throws once it is longer than 64 KiB, without reading the rest. */
export async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > LIMIT)
      throw new OAuthError('unusable', 'The answer of the authorization server is over 64 KiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

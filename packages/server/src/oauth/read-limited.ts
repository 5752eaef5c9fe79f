import { OAuthError } from './oauth-error.js';

const KIB = 1024;
const LIMIT = 64 * KIB;

/** The body as text. Throws once it is longer than the limit, 64 KiB by default, without reading the rest. */
export async function readLimited(response: Response, limit = LIMIT): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > limit) {
      throw new OAuthError('unusable', `The answer of the authorization server is over ${limit / KIB} KiB.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

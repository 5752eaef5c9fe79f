import { DEEPEST, isTooDeep } from '../text/json-depth.js';
import { OAuthError } from './oauth-error.js';

const KIB = 1024;
const LIMIT = 64 * KIB;

/**
 * Reads the response body as text. Throws OAuthError for a body over `limit` bytes (default 64 KiB), and for JSON
 * nested deeper than 200 levels.
 */
export async function readLimited(response: Response, limit = LIMIT): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > limit) {
      throw new OAuthError(
        'unusable',
        `The response of the authorization server is larger than ${limit / KIB} KiB, the maximum. Report this to the operator of the authorization server.`,
      );
    }
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (isTooDeep(bytes)) {
    throw new OAuthError(
      'unusable',
      `The response of the authorization server is nested deeper than ${DEEPEST} levels, the maximum. Report this to the operator of the authorization server.`,
    );
  }
  return bytes.toString();
}

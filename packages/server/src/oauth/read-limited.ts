import { isTooDeep, MAX_JSON_DEPTH } from '../text/json-depth.js';
import { OAuthError } from './oauth-error.js';

const KIB = 1024;
const LIMIT = 64 * KIB;

export interface ReadOptions {
  /** Maximum size of the response body in bytes. Default: 64 KiB. */
  readonly limit?: number;
  /** Name of the response in error messages. */
  readonly subject?: string;
  /** Person or program owner who can correct the response, for error messages. */
  readonly responsible?: string;
}

/**
 * Reads the response body as text. Throws OAuthError for a body over the limit, and for JSON
 * nested deeper than 200 levels.
 */
export async function readLimited(
  response: Response,
  {
    limit = LIMIT,
    subject = 'response of the authorization server',
    responsible = 'operator of the authorization server',
  }: ReadOptions = {},
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > limit) {
      throw new OAuthError(
        'unusable',
        `The ${subject} is larger than the maximum of ${limit / KIB} KiB. Report this to the ${responsible}.`,
      );
    }
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (isTooDeep(bytes)) {
    throw new OAuthError(
      'unusable',
      `The ${subject} is nested deeper than the maximum of ${MAX_JSON_DEPTH} levels. Report this to the ${responsible}.`,
    );
  }
  return bytes.toString();
}

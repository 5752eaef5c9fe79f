import { isSame } from '../text/is-same.js';
import type { Digest } from '../vault/pepper.js';

/** Which grant a refresh token is of, and which of its tokens. */
export interface RefreshToken {
  readonly id: string;
  readonly generation: number;
}

const FORM = /^svc_rt_(grant_[0-9a-f]{24})\.(\d{1,15})\.([\w-]{43})$/;

const seal = (digest: Digest, { id, generation }: RefreshToken): string =>
  digest('agent refresh token', `${id}.${generation}`);

/** None is stored: the service knows its own by their seal, old ones included, and the grant says which one counts. */
export const issueRefreshToken = (digest: Digest, token: RefreshToken): string =>
  `svc_rt_${token.id}.${token.generation}.${seal(digest, token)}`;

export function readRefreshToken(digest: Digest, text: string): RefreshToken | undefined {
  const [, id = '', generation = '', given = ''] = FORM.exec(text) ?? [];
  const token = { id, generation: Number(generation) };
  return isSame(given, seal(digest, token)) ? token : undefined;
}

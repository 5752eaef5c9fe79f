import type { TokenLimits } from './token-limits.js';

/** The only connected account that a token can use: either by account id, or by connection name and user identifier. */
export type TokenAccount =
  | { readonly id: string }
  | { readonly connectionName: string; readonly identifier: string };

/** Returns the only value that all given lists contain. Returns `undefined` if they share no value, or several. */
function onlyOne(lists: readonly (readonly string[] | undefined)[]): string | undefined {
  const [first, ...others] = lists.filter((list) => list !== undefined);
  const common = new Set(first?.filter((name) => others.every((list) => list.includes(name))));
  return common.size === 1 ? [...common][0] : undefined;
}

/**
 * Returns the only connected account that all limits of a narrowed token allow. Returns `undefined` if they allow none,
 * or several.
 */
export function accountOfToken(chain: readonly TokenLimits[]): TokenAccount | undefined {
  const id = onlyOne(chain.map(({ accounts }) => accounts));
  if (id !== undefined) return { id };
  const connectionName = onlyOne(chain.map(({ connections }) => connections));
  const identifier = onlyOne(chain.map(({ identifier: user }) => (user === undefined ? user : [user])));
  if (connectionName === undefined || identifier === undefined) return undefined;
  return { connectionName, identifier };
}

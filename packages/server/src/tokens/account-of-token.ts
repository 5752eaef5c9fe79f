import { labelOf, type TokenLimits } from './token-limits.js';

/** Connected account of a token for one account: either its id, or its connection name, user identifier and label. */
export type TokenAccount =
  | { readonly id: string }
  | { readonly connectionName: string; readonly identifier: string; readonly account: string | undefined };

/** Returns the only value that all given lists contain. Returns `undefined` if they share no value, or several. */
function onlyOne(lists: readonly (readonly string[] | undefined)[]): string | undefined {
  const [first, ...others] = lists.filter((list) => list !== undefined);
  const common = new Set(first?.filter((name) => others.every((list) => list.includes(name))));
  return common.size === 1 ? [...common][0] : undefined;
}

/**
 * Returns the connected account of a narrowed token for one user and one connection. Without a label in its limits,
 * this is the account without a label. Returns `undefined` if the limits allow no connection or user, or several.
 */
export function accountOfToken(chain: readonly TokenLimits[]): TokenAccount | undefined {
  const id = onlyOne(chain.map(({ accounts }) => accounts));
  if (id !== undefined) return { id };
  const connectionName = onlyOne(chain.map(({ connections }) => connections));
  const identifier = onlyOne(chain.map(({ identifier: user }) => (user === undefined ? user : [user])));
  if (connectionName === undefined || identifier === undefined) return undefined;
  return { connectionName, identifier, account: labelOf(chain) };
}

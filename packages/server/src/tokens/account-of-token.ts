import type { TokenLimits } from './token-limits.js';

/** The one account that a token is for: by its id, or by the names of its connection and its user. */
export type TokenAccount =
  | { readonly id: string }
  | { readonly connectionName: string; readonly identifier: string };

/** What stands in every list; `undefined` where it is not exactly one. */
function onlyOne(lists: readonly (readonly string[] | undefined)[]): string | undefined {
  const [first, ...others] = lists.filter((list) => list !== undefined);
  const common = new Set(first?.filter((name) => others.every((list) => list.includes(name))));
  return common.size === 1 ? [...common][0] : undefined;
}

/** The account that the limits of a chain leave; `undefined` where they leave none, or a choice. */
export function accountOfToken(chain: readonly TokenLimits[]): TokenAccount | undefined {
  const id = onlyOne(chain.map(({ accounts }) => accounts));
  if (id !== undefined) return { id };
  const connectionName = onlyOne(chain.map(({ connections }) => connections));
  const identifier = onlyOne(chain.map(({ identifier: user }) => (user === undefined ? user : [user])));
  if (connectionName === undefined || identifier === undefined) return undefined;
  return { connectionName, identifier };
}

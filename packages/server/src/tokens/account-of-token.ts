import type { TokenLimits } from './token-limits.js';

/** The only account of a token, by id, or by connection and user. */
export type TokenAccount =
  | { readonly id: string }
  | { readonly connectionName: string; readonly identifier: string };

/** The only value that all lists have in common; `undefined` if there is none, or more than one. */
function onlyOne(lists: readonly (readonly string[] | undefined)[]): string | undefined {
  const [first, ...others] = lists.filter((list) => list !== undefined);
  const common = new Set(first?.filter((name) => others.every((list) => list.includes(name))));
  return common.size === 1 ? [...common][0] : undefined;
}

/** The only account that the limits of a chain allow; `undefined` if they allow none, or several. */
export function accountOfToken(chain: readonly TokenLimits[]): TokenAccount | undefined {
  const id = onlyOne(chain.map(({ accounts }) => accounts));
  if (id !== undefined) return { id };
  const connectionName = onlyOne(chain.map(({ connections }) => connections));
  const identifier = onlyOne(chain.map(({ identifier: user }) => (user === undefined ? user : [user])));
  if (connectionName === undefined || identifier === undefined) return undefined;
  return { connectionName, identifier };
}

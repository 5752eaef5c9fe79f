import type { TokenLimits } from '../tokens/token-limits.js';

type Links = readonly TokenLimits[];

/** Ids of the accounts that every link allows; `undefined` where none of them says. */
export function accountsOf(links: Links): readonly string[] | undefined {
  const [first, ...others] = links.flatMap(({ accounts }) => (accounts === undefined ? [] : [accounts]));
  return first?.filter((id) => others.every((list) => list.includes(id)));
}

/** User of a connected account, and the label if the user has several accounts on the connection. */
export interface LabelledUser {
  readonly identifier: string;
  readonly account?: string | undefined;
}

/** Names the user of a connected account, with the label of the account in parentheses: `ada (work)`. */
export const userOf = ({ identifier, account }: LabelledUser): string =>
  account ? `${identifier} (${account})` : identifier;

/** Name and workspace of the user at the upstream. */
export interface UpstreamUser {
  readonly name?: string;
  readonly workspace?: string;
}

/** Names the user at the upstream: `ada@example.com (Acme)`. Returns `undefined` if the upstream reports no name. */
export function upstreamUserOf({ name, workspace }: UpstreamUser = {}): string | undefined {
  if (name === undefined || workspace === undefined) return name ?? workspace;
  return `${name} (${workspace})`;
}

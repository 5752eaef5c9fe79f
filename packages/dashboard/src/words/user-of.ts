/** User of a connected account, and the label if the user has several accounts on the connection. */
export interface LabelledUser {
  readonly identifier: string;
  readonly account?: string | undefined;
}

/** Names the user of a connected account, with the label of the account in parentheses: `ada (work)`. */
export const userOf = ({ identifier, account }: LabelledUser): string =>
  account ? `${identifier} (${account})` : identifier;

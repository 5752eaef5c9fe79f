import type { DemandScopes, ScopeChallenge } from './demand-scopes.js';
import type { RejectToken } from './reject-token.js';
import type { ResolvedAccount } from './resolved-account.js';

export interface Challenge extends ScopeChallenge {
  /** Of the answer. */
  readonly status: number;
}

/** Does what an MCP server's refusal asks for; throws account_not_authorized when only the user can help. */
export type HearChallenge = (account: ResolvedAccount, challenge: Challenge) => Promise<void>;

export const createHearChallenge =
  (parts: { readonly demandScopes: DemandScopes; readonly rejectToken: RejectToken }): HearChallenge =>
  async (account, { status, ...challenge }) => {
    if (status === 401) await parts.rejectToken(account);
    if (status === 403) await parts.demandScopes(account, challenge);
  };

import type { PresentedToken, TokenUses } from '../tokens/token-uses.js';
import type { ExecuteRequest } from './execute.js';

/** Checks that apply the limits of a token to a call. Throws not_permitted at once for an account that the request names. */
export function checksOf(
  tokenUses: TokenUses,
  presented: PresentedToken,
  { connectionName, identifier }: Pick<ExecuteRequest, 'connectionName' | 'identifier'>,
): Pick<ExecuteRequest, 'checkAccount' | 'checkCall'> {
  if (connectionName !== undefined && identifier !== undefined)
    tokenUses.checkName(presented, { connectionName, identifier });
  return {
    checkAccount: (account) => tokenUses.checkAccount(presented, account),
    checkCall: (call) => tokenUses.checkCall(presented, call),
  };
}

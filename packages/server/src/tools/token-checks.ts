import type { PresentedToken, TokenUses } from '../tokens/token-uses.js';
import type { ExecuteRequest } from './execute-request.js';

/**
 * Creates the checks that apply the limits of the caller's token to a tool call. Throws not_permitted at once if the
 * token excludes the account that the request names.
 */
export function checksOf(
  tokenUses: TokenUses,
  presented: PresentedToken,
  { connectionName, identifier, account }: Pick<ExecuteRequest, 'connectionName' | 'identifier' | 'account'>,
): Pick<ExecuteRequest, 'checkAccount' | 'checkCall'> {
  if (connectionName !== undefined && identifier !== undefined)
    tokenUses.checkName(presented, { connectionName, identifier, account });
  return {
    checkAccount: (found) => tokenUses.checkAccount(presented, found),
    checkCall: (call) => tokenUses.checkCall(presented, call),
  };
}

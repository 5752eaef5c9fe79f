import type { PresentedToken, TokenUses } from '../tokens/token-uses.js';
import type { ExecuteRequest } from './execute.js';

/** What holds the execution of a tool to the limits of a token. Throws not_permitted for an account that it names. */
export function checksOf(
  tokenUses: TokenUses,
  shown: PresentedToken,
  { connectionName, identifier }: Pick<ExecuteRequest, 'connectionName' | 'identifier'>,
): Pick<ExecuteRequest, 'checkAccount' | 'checkCall'> {
  if (connectionName !== undefined && identifier !== undefined)
    tokenUses.checkName(shown, { connectionName, identifier });
  return {
    checkAccount: (account) => tokenUses.checkAccount(shown, account),
    checkCall: (call) => tokenUses.checkCall(shown, call),
  };
}

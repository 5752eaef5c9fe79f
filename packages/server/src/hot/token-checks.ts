import type { ShownToken, TokenUses } from '../tenants/token-uses.js';
import type { ExecuteRequest } from '../tools/execute.js';

interface Called extends Pick<ExecuteRequest, 'connectionName' | 'identifier'> {
  readonly isDry: boolean;
}

/** What holds the execution of a tool to the limits of a token. Throws not_permitted for an account that it names. */
export function checksOf(
  tokenUses: TokenUses,
  shown: ShownToken,
  { connectionName, identifier, isDry }: Called,
): Pick<ExecuteRequest, 'checkAccount' | 'checkCall'> {
  if (connectionName !== undefined && identifier !== undefined)
    tokenUses.checkName(shown, { connectionName, identifier });
  return {
    checkAccount: (account) => tokenUses.checkAccount(shown, account),
    checkCall: async (call) => (isDry ? tokenUses.checkPlan(shown, call) : tokenUses.take(shown, call)),
  };
}

import type { FastifyRequest } from 'fastify';
import type { Accounts } from '../connections/accounts.js';
import type { AccountName } from '../connections/find-account.js';
import { ServiceError } from '../errors.js';
import { presentedBy, type TokenUses } from '../tokens/token-uses.js';

type IdentifiedAccount = AccountName & { readonly id: string };

/**
 * Creates checks of accounts against the limits of a narrowed token. Requests without such a token pass every check.
 */
export function createGuardAccount({
  accounts,
  tokenUses,
}: {
  readonly accounts: Pick<Accounts, 'get'>;
  readonly tokenUses: Pick<TokenUses, 'checkName' | 'checkAccount'>;
}) {
  const presentedWith = ({ bearer }: FastifyRequest) => bearer && presentedBy(bearer, '/v1');

  async function idOf(applicationId: string, name: AccountName): Promise<string> {
    try {
      return (await accounts.get(applicationId, name)).id;
    } catch (error) {
      // Returns an empty id for a new account, which has no id yet. A token that is limited to account ids never allows
      // the empty id, so the request is refused.
      if (error instanceof ServiceError && error.code === 'account_not_found') return '';
      throw error;
    }
  }

  return {
    /**
     * Checks connection and user identifier against the limits of the access token, before the account is looked up.
     */
    checkName: (request: FastifyRequest, name: AccountName): void => {
      const presented = presentedWith(request);
      if (presented) tokenUses.checkName(presented, name);
    },

    /** Returns the account if the limits of the access token allow it. Throws otherwise. */
    checkAccount: <Account extends IdentifiedAccount>(request: FastifyRequest, account: Account): Account => {
      const presented = presentedWith(request);
      if (presented) tokenUses.checkAccount(presented, account);
      return account;
    },

    /** Checks an account that may not exist yet against the limits of the access token. */
    checkNewOrExisting: async (request: FastifyRequest, name: AccountName): Promise<void> => {
      const presented = presentedWith(request);
      if (presented === undefined) return;
      tokenUses.checkName(presented, name);
      tokenUses.checkAccount(presented, { ...name, id: await idOf(presented.applicationId, name) });
    },
  };
}

export type GuardAccount = ReturnType<typeof createGuardAccount>;

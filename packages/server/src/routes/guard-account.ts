import type { FastifyRequest } from 'fastify';
import type { Accounts } from '../connections/accounts.js';
import type { AccountName } from '../connections/find-account.js';
import { ServiceError } from '../errors.js';
import { presentedBy, type TokenUses } from '../tokens/token-uses.js';

type IdentifiedAccount = AccountName & { readonly id: string };

/** Checks accounts against the limits of the presented narrowed token. Without such a token, every account passes. */
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
      // A new account has no id yet, so a token that is limited to ids does not allow it.
      if (error instanceof ServiceError && error.code === 'account_not_found') return '';
      throw error;
    }
  }

  return {
    /** Checks connection and identifier, before the lookup. */
    checkName: (request: FastifyRequest, name: AccountName): void => {
      const presented = presentedWith(request);
      if (presented) tokenUses.checkName(presented, name);
    },

    /** Returns the account if it passes. */
    checkAccount: <Account extends IdentifiedAccount>(request: FastifyRequest, account: Account): Account => {
      const presented = presentedWith(request);
      if (presented) tokenUses.checkAccount(presented, account);
      return account;
    },

    /** Checks an account that may not exist yet. */
    checkNewOrExisting: async (request: FastifyRequest, name: AccountName): Promise<void> => {
      const presented = presentedWith(request);
      if (presented === undefined) return;
      tokenUses.checkName(presented, name);
      tokenUses.checkAccount(presented, { ...name, id: await idOf(presented.applicationId, name) });
    },
  };
}

export type GuardAccount = ReturnType<typeof createGuardAccount>;

import type { FastifyRequest } from 'fastify';
import type { Accounts } from '../connections/accounts.js';
import type { AccountName } from '../connections/find-account.js';
import { ServiceError } from '../errors.js';
import { presentedBy, type TokenUses } from '../tokens/token-uses.js';

export interface GuardAccountParts {
  readonly accounts: Pick<Accounts, 'get'>;
  readonly tokenUses: Pick<TokenUses, 'checkName' | 'checkAccount'>;
}

type ShownAccount = AccountName & { readonly id: string };

/** Holds what is asked about accounts to the limits of a narrowed token; whoever calls without one may ask about all. */
export function createGuardAccount({ accounts, tokenUses }: GuardAccountParts) {
  const shownWith = ({ bearer }: FastifyRequest) => bearer && presentedBy(bearer, '/v1');

  async function idOf(applicationId: string, name: AccountName): Promise<string> {
    try {
      return (await accounts.get(applicationId, name)).id;
    } catch (error) {
      // It has no id yet, so a token that is for some ids is not for it.
      if (error instanceof ServiceError && error.code === 'account_not_found') return '';
      throw error;
    }
  }

  return {
    /** Before it is looked up. */
    byName: (request: FastifyRequest, name: AccountName): void => {
      const shown = shownWith(request);
      if (shown) tokenUses.checkName(shown, name);
    },

    /** The account itself, before it is told of. */
    found: <Account extends ShownAccount>(request: FastifyRequest, account: Account): Account => {
      const shown = shownWith(request);
      if (shown) tokenUses.checkAccount(shown, account);
      return account;
    },

    /** An account that may not be there yet. */
    wanted: async (request: FastifyRequest, name: AccountName): Promise<void> => {
      const shown = shownWith(request);
      if (shown === undefined) return;
      tokenUses.checkName(shown, name);
      tokenUses.checkAccount(shown, { ...name, id: await idOf(shown.applicationId, name) });
    },
  };
}

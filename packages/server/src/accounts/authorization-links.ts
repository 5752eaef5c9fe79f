import { ServiceError } from '../errors.js';
import type { Account as StoredAccount } from '../storage/accounts-table.js';
import type { AuthorizationLinkRow, ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { Accounts } from './accounts.js';
import { type Approval, approvalOf } from './approval.js';
import type { DescribeOAuth } from './connection-oauth.js';
import type { Connectors } from './connector.js';
import { type AccountName, findConnection } from './find-account.js';
import type { Digest } from './pepper.js';
import { newId, newToken, type Random } from './random.js';

export interface AuthorizationLinksParts {
  readonly storage: Pick<Storage, 'applications' | 'connections' | 'accounts' | 'authorizationFlows'>;
  readonly connectors: Connectors;
  readonly describeOAuth: DescribeOAuth;
  readonly accounts: Pick<Accounts, 'getOrCreate'>;
  readonly digest: Digest;
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

export interface AuthorizationLink {
  readonly link: string;
  readonly expiresAt: string;
}

/** A link that can still be used, and what it is for. */
export interface OpenLink {
  readonly link: AuthorizationLinkRow;
  readonly account: StoredAccount;
  readonly connection: ConnectionRow;
  readonly approval: Approval;
}

export interface AuthorizationLinks {
  /** Makes the account when there is none. `replace` lets another upstream user take the place of the present one. */
  create(
    applicationId: string,
    name: AccountName,
    options?: { readonly replace?: boolean },
  ): Promise<AuthorizationLink>;
  /** Changes nothing. Throws not_found when the link is unknown, used or expired. */
  find(token: string): Promise<OpenLink>;
  /** Takes the one use of a link. Throws not_found when somebody was faster. */
  use(token: string): Promise<void>;
}

const LIFE_MS = 30 * 60_000;

const notUsable = (problem: string) =>
  new ServiceError(
    'not_found',
    `This link ${problem}. Go back to the application that gave it to you and ask for a new one.`,
  );

export function createAuthorizationLinks(parts: AuthorizationLinksParts): AuthorizationLinks {
  const { storage, describeOAuth, accounts, digest, environmentUrl, now, random } = parts;
  const digestOf = (token: string) => digest('authorization link', token);

  return {
    async create(applicationId, name, { replace = false } = {}) {
      const connection = await findConnection(storage, applicationId, name.connectionName);
      await describeOAuth(connection);
      const { account } = await accounts.getOrCreate(applicationId, name);
      const token = newToken(random);
      const expiresAt = now() + LIFE_MS;
      await storage.authorizationFlows.deleteExpired(now());
      await storage.authorizationFlows.insertLink({
        id: newId('link', random),
        applicationId,
        accountId: account.id,
        tokenDigest: digestOf(token),
        replaceSubject: replace ? 1 : 0,
        expiresAt,
        usedAt: null,
      });
      return { link: `${environmentUrl}/connect/${token}`, expiresAt: new Date(expiresAt).toISOString() };
    },

    async find(token) {
      const link = await storage.authorizationFlows.findLink(digestOf(token));
      if (!link) throw notUsable('is not known');
      if (link.usedAt !== null) throw notUsable('has been used already');
      if (link.expiresAt <= now()) throw notUsable('has expired');
      const account = await storage.accounts.find(link.applicationId, link.accountId);
      const connection =
        account && (await storage.connections.find(link.applicationId, account.connectionId));
      if (!account || !connection) throw notUsable('is not known');
      return { link, account, connection, approval: await approvalOf(parts, account) };
    },

    async use(token) {
      if (!(await storage.authorizationFlows.useLink(digestOf(token), now())))
        throw notUsable('has been used already');
    },
  };
}

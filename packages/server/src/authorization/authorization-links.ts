import { checkRedirectUrl, verifyUrlOf } from '../applications/redirect-urls.js';
import type { Accounts } from '../connections/accounts.js';
import type { DescribeOAuth } from '../connections/connection-oauth.js';
import { type Connectors, findConnector } from '../connections/connector.js';
import { type AccountName, findApplication, findConnection } from '../connections/find-account.js';
import { ServiceError } from '../errors.js';
import { newId, newToken, type Random } from '../random.js';
import type { Account as StoredAccount } from '../storage/accounts-table.js';
import type { AuthorizationLinkRow } from '../storage/authorization-rows.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { Digest } from '../vault/pepper.js';
import { approvalOf, refusedBy } from './approval.js';
import { permissionsOf, type Question } from './permissions.js';
import type { RefuseApproval } from './refuse-approval.js';

export interface AuthorizationLinksParts {
  readonly storage: Pick<Storage, 'applications' | 'connections' | 'accounts' | 'authorizationFlows'>;
  readonly connectors: Connectors;
  readonly describeOAuth: DescribeOAuth;
  readonly accounts: Pick<Accounts, 'getOrCreate'>;
  readonly refuseApproval: RefuseApproval;
  readonly digest: Digest;
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

export interface AuthorizationLink {
  readonly link: string;
  readonly expiresAt: string;
}

export interface LinkOptions {
  /** Lets another upstream user take the place of the present one. */
  readonly replace?: boolean;
  /** Where the browser goes in the end, in the place of a page of ours; URLs that the application has registered. */
  readonly successUrl?: string;
  readonly failureUrl?: string;
}

/** A link that can still be used, and what it is for. */
export interface OpenLink {
  readonly link: AuthorizationLinkRow;
  readonly account: StoredAccount;
  readonly connection: ConnectionRow;
  readonly approval: Question;
}

export interface AuthorizationLinks {
  /** Makes the account when there is none. */
  create(applicationId: string, name: AccountName, options?: LinkOptions): Promise<AuthorizationLink>;
  /** Leaves the link usable. Throws not_found when it is unknown, used or expired. */
  find(token: string): Promise<OpenLink>;
  /** Takes the one use of a link. Throws not_found when somebody was faster. */
  use(token: string): Promise<void>;
}

const LIFE_MS = 30 * 60_000;

const notUsable = (problem: string, reason: string) =>
  new ServiceError(
    'not_found',
    `This link ${problem}. Go back to the application that gave it to you and ask for a new one.`,
    { reason },
  );

const isUnknown = () => notUsable('is not known', 'link_unknown');
const isUsed = () => notUsable('has been used already', 'link_used_before');

export function createAuthorizationLinks(parts: AuthorizationLinksParts): AuthorizationLinks {
  const { storage, describeOAuth, accounts, refuseApproval, digest, environmentUrl, now, random } = parts;
  const digestOf = (token: string) => digest('authorization link', token);

  async function checkApplication(applicationId: string, { successUrl, failureUrl }: LinkOptions) {
    const application = await findApplication(storage, applicationId);
    verifyUrlOf(application);
    checkRedirectUrl(application, 'successUrl', successUrl);
    checkRedirectUrl(application, 'failureUrl', failureUrl);
  }

  async function checkUsable(link: AuthorizationLinkRow): Promise<void> {
    if (link.usedAt !== null) {
      await refuseApproval({ link, reason: 'link_used_before' });
      throw isUsed();
    }
    if (link.expiresAt <= now()) throw notUsable('has expired', 'link_expired');
    verifyUrlOf(await findApplication(storage, link.applicationId));
  }

  return {
    async create(applicationId, name, options = {}) {
      await checkApplication(applicationId, options);
      const { replace = false, successUrl = null, failureUrl = null } = options;
      const connection = await findConnection(storage, applicationId, name.connectionName);
      await describeOAuth(connection);
      const { account } = await accounts.getOrCreate(applicationId, name);
      const token = newToken(random);
      const expiresAt = now() + LIFE_MS;
      await storage.authorizationFlows.insertLink({
        id: newId('link', random),
        applicationId,
        accountId: account.id,
        tokenDigest: digestOf(token),
        replaceSubject: replace ? 1 : 0,
        successUrl,
        failureUrl,
        expiresAt,
        usedAt: null,
        refusedAt: null,
      });
      return { link: `${environmentUrl}/connect/${token}`, expiresAt: new Date(expiresAt).toISOString() };
    },

    async find(token) {
      const link = await storage.authorizationFlows.findLink(digestOf(token));
      if (!link) throw isUnknown();
      const account = await storage.accounts.find(link.applicationId, link.accountId);
      const connection =
        account && (await storage.connections.find(link.applicationId, account.connectionId));
      if (!account || !connection) throw isUnknown();
      const approval = await approvalOf(parts, account);
      await checkUsable(link).catch((error: unknown) => {
        throw refusedBy(error, approval);
      });
      const connector = findConnector(parts.connectors, account.connector);
      const permissions = permissionsOf(connector, connection, account);
      return { link, account, connection, approval: { ...approval, permissions } };
    },

    async use(token) {
      if (!(await storage.authorizationFlows.useLink(digestOf(token), now()))) throw isUsed();
    },
  };
}

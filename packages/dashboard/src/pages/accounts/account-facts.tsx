import type { Answer } from '../../api/call.ts';
import type { Connector } from '../../api/catalogue.ts';
import { hrefOf } from '../../pages.ts';
import { Copied } from '../../parts/copy.tsx';
import { Time } from '../../parts/time.tsx';
import { PATHS } from '../../paths.ts';
import { takesKey } from '../../words/states.ts';

export type Account = Answer<'GET /operator/v1/applications/{applicationId}/accounts/{id}'>;

interface AccountFactsProps {
  readonly applicationId: string;
  readonly account: Account;
  readonly connector: Connector | undefined;
}

interface MomentProps {
  readonly title: string;
  readonly at: string | undefined;
  /** What is said when it never was. */
  readonly never: string;
}

const Moment = ({ title, at, never }: MomentProps) => (
  <>
    <dt>{title}</dt>
    <dd>{at === undefined ? never : <Time at={at} />}</dd>
  </>
);

export const AccountFacts = ({ applicationId, account, connector }: AccountFactsProps) => (
  <dl class="facts">
    <dt>Identifier</dt>
    <dd>
      <Copied text={account.identifier} what="the identifier" />
    </dd>
    <dt>Account id</dt>
    <dd>
      <Copied text={account.id} what="the account id" />
    </dd>
    <dt>Connection</dt>
    <dd>
      <a href={hrefOf(PATHS.connection, { applicationId, connectionName: account.connectionName })}>
        {account.connectionName}
      </a>
    </dd>
    <Moment title="Last used" at={account.usedAt} never="Never" />
    {!takesKey(connector?.authType ?? null) && (
      <>
        <Moment title="Last refreshed" at={account.refreshedAt} never="Never" />
        <Moment title="Token ends" at={account.expiresAt} never="Not known" />
      </>
    )}
    {connector?.credentials.map(({ name, title }) => (
      <>
        <dt key={name}>{title}</dt>
        <dd>{account.credentials.includes(name) ? 'Stored' : 'Not given'}</dd>
      </>
    ))}
    <Moment title="Created" at={account.createdAt} never="" />
  </dl>
);

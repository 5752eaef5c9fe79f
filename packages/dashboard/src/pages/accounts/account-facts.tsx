import { Fragment } from 'preact';
import type { Answer } from '../../api/call.ts';
import type { Connector } from '../../api/catalogue.ts';
import { Copied } from '../../parts/copy.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
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
}

const Moment = ({ title, at }: MomentProps) => (
  <>
    <dt>{title}</dt>
    <dd>{at === undefined ? 'Never' : <Time at={at} />}</dd>
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
    <Moment title="Last used" at={account.usedAt} />
    {!takesKey(connector?.authType ?? null) && (
      <>
        <Moment title="Last refreshed" at={account.refreshedAt} />
        {account.expiresAt !== undefined && <Moment title="Token ends" at={account.expiresAt} />}
      </>
    )}
    {connector?.credentials.map(({ name, title }) => (
      <Fragment key={name}>
        <dt>{title}</dt>
        <dd>{account.credentials.includes(name) ? 'Stored' : 'Not given'}</dd>
      </Fragment>
    ))}
    <Moment title="Created" at={account.createdAt} />
  </dl>
);

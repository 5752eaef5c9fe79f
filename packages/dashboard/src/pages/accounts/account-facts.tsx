import { Fragment } from 'preact';
import type { Answer } from '../../api/call.ts';
import type { Connector } from '../../api/catalogue.ts';
import { Copied } from '../../parts/copy.tsx';
import { Fact } from '../../parts/fact.tsx';
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
  <Fact title={title}>{at === undefined ? 'Never' : <Time at={at} />}</Fact>
);

export const AccountFacts = ({ applicationId, account, connector }: AccountFactsProps) => (
  <dl class="facts">
    <Fact title="Identifier">
      <Copied text={account.identifier} what="the identifier" />
    </Fact>
    <Fact title="Account id">
      <Copied text={account.id} what="the account id" />
    </Fact>
    <Fact title="Connection">
      <a href={hrefOf(PATHS.connection, { applicationId, connectionName: account.connectionName })}>
        {account.connectionName}
      </a>
    </Fact>
    <Moment title="Last used" at={account.usedAt} />
    {!takesKey(connector?.authType ?? null) && (
      <>
        <Moment title="Last refreshed" at={account.refreshedAt} />
        {account.expiresAt !== undefined && <Moment title="Token ends" at={account.expiresAt} />}
      </>
    )}
    {connector?.credentials.map(({ name, title }) => (
      <Fragment key={name}>
        <Fact title={title}>{account.credentials.includes(name) ? 'Stored' : 'Not given'}</Fact>
      </Fragment>
    ))}
    <Moment title="Created" at={account.createdAt} />
  </dl>
);

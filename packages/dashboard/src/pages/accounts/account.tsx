import { useRoute } from 'preact-iso';
import { type Answer, call } from '../../api/call.ts';
import { type Connector, withConnectors } from '../../api/catalogue.ts';
import { mayChange } from '../../api/session.ts';
import { Copied } from '../../parts/copy.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Show, useLoaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { StatePanel } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { accountWords, takesKey } from '../../words/states.ts';
import { AccountExecutions } from './account-executions.tsx';
import { EndAccount, type Account as Shown } from './end-account.tsx';
import { RenewByKey, RenewByLink } from './renew-access.tsx';

type Connection = Answer<'GET /operator/v1/applications/{applicationId}/connections/{connectionName}'>;

interface Found {
  readonly account: Shown;
  readonly connection: Connection;
  /** Absent when it has left the catalogue. */
  readonly connector: Connector | undefined;
}

async function loadAccount(applicationId: string, id: string, signal: AbortSignal): Promise<Found> {
  const { value: account, connectorOf } = await withConnectors(
    call(
      'GET /operator/v1/applications/{applicationId}/accounts/{id}',
      { path: { applicationId, id } },
      { signal },
    ),
  );
  const { connectionName } = account;
  const connection = await call(
    'GET /operator/v1/applications/{applicationId}/connections/{connectionName}',
    { path: { applicationId, connectionName } },
    { signal },
  );
  return { account, connection, connector: connectorOf(account.connector) };
}

interface PartProps extends Found {
  readonly applicationId: string;
  readonly onRenewed: () => void;
}

function Renew({ applicationId, account, connection, connector, onRenewed }: PartProps) {
  if (!connector || !mayChange()) return null;
  const { connectionName, identifier, status } = account;
  const place = { applicationId, connectionName, identifier };
  const isConnected = status === 'authorized';
  return takesKey(connector.authType) ? (
    <RenewByKey
      place={place}
      connector={connector}
      baseUrl={connection.baseUrl}
      hasKey={isConnected}
      onRenewed={onRenewed}
    />
  ) : (
    <RenewByLink place={place} status={status} onRenewed={onRenewed} />
  );
}

function Body(props: PartProps) {
  const { applicationId, account, connection, connector } = props;
  const words = accountWords({
    ...account,
    authType: connector?.authType ?? null,
    upstream: connector?.title ?? account.connector,
  });
  return (
    <>
      <StatePanel words={words}>
        <div class="row">
          <Renew {...props} />
        </div>
      </StatePanel>
      <div class="columns">
        <section class="panel" aria-labelledby="facts">
          <h2 id="facts">What it is</h2>
          <AccountFacts applicationId={applicationId} account={account} connector={connector} />
        </section>
        {!takesKey(connector?.authType ?? null) && (
          <section class="panel" aria-labelledby="scopes">
            <h2 id="scopes">What the user allowed</h2>
            <GrantedScopes account={account} connection={connection} connector={connector} />
          </section>
        )}
      </div>
      <section class="panel" aria-labelledby="calls">
        <h2 id="calls">Latest calls</h2>
        <AccountExecutions applicationId={applicationId} accountId={account.id} />
      </section>
      {mayChange() && (
        <EndAccount
          applicationId={applicationId}
          account={account}
          connector={connector}
          onRevoked={props.onRenewed}
        />
      )}
    </>
  );
}

export function Account() {
  const { applicationId = '', accountId = '' } = useRoute().params;
  const found = useLoaded(JSON.stringify([applicationId, accountId]), (signal) =>
    loadAccount(applicationId, accountId, signal),
  );
  const isConnected = found.value?.account.status === 'authorized';
  return (
    <Page
      title={found.value?.account.identifier ?? 'Connected account'}
      about={found.value && `An account at ${found.value.connector?.title ?? found.value.account.connector}.`}
      trail={[{ title: 'Connected accounts', href: hrefOf(PATHS.accounts, { applicationId }) }]}
      actions={
        isConnected &&
        mayChange() && (
          <a
            class="button primary"
            href={withQuery(hrefOf(PATHS.tools, { applicationId }), {
              connector: found.value?.account.connector,
              accountId,
            })}
          >
            Try a tool
          </a>
        )
      }
    >
      <Show of={found}>
        {(value) => <Body {...value} applicationId={applicationId} onRenewed={found.reload} />}
      </Show>
    </Page>
  );
}

interface MomentProps {
  readonly title: string;
  readonly at: string | undefined;
}

const Moment = ({ title, at }: MomentProps) => (
  <Fact title={title}>{at === undefined ? 'Never' : <Time at={at} />}</Fact>
);

const AccountFacts = ({
  applicationId,
  account,
  connector,
}: Pick<PartProps, 'applicationId' | 'account' | 'connector'>) => (
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
      <Fact key={name} title={title}>
        {account.credentials.includes(name) ? 'Stored' : 'Not given'}
      </Fact>
    ))}
    <Moment title="Created" at={account.createdAt} />
  </dl>
);

interface ScopesProps extends Pick<Found, 'connector'> {
  readonly names: readonly string[];
}

const Scopes = ({ names, connector }: ScopesProps) => (
  <ul class="plain-list">
    {names.map((name) => {
      const words = connector?.scopes.find((scope) => scope.name === name)?.description;
      return (
        <li key={name}>
          {words} <code class={words && 'soft'}>{name}</code>
        </li>
      );
    })}
  </ul>
);

/** The granted scopes in words, and the requested scopes that are missing. */
function GrantedScopes({ account: { scopes: granted }, connection, connector }: Found) {
  const missing = connection.scopes.filter((scope) => !granted.includes(scope));
  return (
    <>
      {granted.length === 0 ? (
        <p class="soft">The upstream did not say what the user granted.</p>
      ) : (
        <Scopes names={granted} connector={connector} />
      )}
      {granted.length > 0 && missing.length > 0 && (
        <>
          <h3>Asked for, and not granted</h3>
          <Scopes names={missing} connector={connector} />
          <p class="soft">A new link asks the user for these too.</p>
        </>
      )}
    </>
  );
}

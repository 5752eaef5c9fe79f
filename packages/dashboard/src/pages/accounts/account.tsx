import { useRoute } from 'preact-iso';
import { call, type ResponseOf } from '../../api/call.ts';
import { type Connector, withConnectors } from '../../api/catalogue.ts';
import { mayChange } from '../../api/session.ts';
import { Copied } from '../../parts/copy.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Show, useLive, useLoaded } from '../../parts/loaded.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Badge, StatePanel } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { connectionWords } from '../../words/connections.ts';
import { accountWords, type StateWords, takesKey } from '../../words/states.ts';
import { userOf } from '../../words/user-of.ts';
import { RecentExecutions } from '../executions/recent-executions.tsx';
import { type Account as Details, EndAccount } from './end-account.tsx';
import { RenewByKey, RenewByLink } from './renew-access.tsx';
import { UpstreamChanges } from './upstream-changes.tsx';

const GET_ACCOUNT = 'GET /operator/v1/applications/{applicationId}/accounts/{id}';
const GET_CONNECTION = 'GET /operator/v1/applications/{applicationId}/connections/{connectionName}';

interface Subject {
  readonly account: Details;
  readonly connection: ResponseOf<typeof GET_CONNECTION>;
  /** Connector of the connected account. `undefined` if the connector was removed from the catalogue. */
  readonly connector: Connector | undefined;
}

async function loadAccount(applicationId: string, id: string, signal: AbortSignal): Promise<Subject> {
  const { value: account, connectorOf } = await withConnectors(
    call(GET_ACCOUNT, { path: { applicationId, id } }, { signal }),
  );
  const { connectionName } = account;
  const connector = connectorOf(account.connector);
  const connection = await call(GET_CONNECTION, { path: { applicationId, connectionName } }, { signal });
  return { account, connection, connector };
}

interface PartProps extends Subject {
  readonly applicationId: string;
  readonly onRenewed: () => void;
}

function Renew({ applicationId, account, connection, connector, onRenewed }: PartProps) {
  if (!connector || !mayChange()) return null;
  const { connectionName, identifier, status } = account;
  const path = { applicationId, connectionName, identifier, account: account.account };
  const isConnected = status === 'authorized';
  return takesKey(connector.authType) ? (
    <RenewByKey
      path={path}
      connector={connector}
      baseUrl={connection.baseUrl}
      hasKey={isConnected}
      onRenewed={onRenewed}
    />
  ) : (
    <RenewByLink path={path} status={status} onRenewed={onRenewed} />
  );
}

interface BodyProps extends Pick<PartProps, 'applicationId' | 'onRenewed'> {
  readonly subject: Subject;
}

function Body({ subject, applicationId, onRenewed }: BodyProps) {
  const { value, error } = useLive(subject, (signal) =>
    loadAccount(applicationId, subject.account.id, signal),
  );
  const { account, connection, connector } = value;
  const props = { ...value, applicationId, onRenewed };
  const words = accountWords({
    ...account,
    authType: connector?.authType ?? null,
    upstream: connector?.title ?? account.connector,
  });
  return (
    <>
      {error !== undefined && <ErrorNotice error={error} />}
      <StatePanel words={words}>
        <div class="row">
          <Renew {...props} />
        </div>
      </StatePanel>
      <div class="columns">
        <section class="panel" aria-labelledby="facts">
          <h2 id="facts">Details</h2>
          <AccountFacts {...props} />
        </section>
        {!takesKey(connector?.authType ?? null) && (
          <section class="panel" aria-labelledby="scopes">
            <h2 id="scopes">Granted scopes</h2>
            <GrantedScopes account={account} connection={connection} connector={connector} />
          </section>
        )}
      </div>
      <UpstreamChanges applicationId={applicationId} accountId={account.id} />
      <section class="panel" aria-labelledby="calls">
        <h2 id="calls">Latest calls for this account</h2>
        <RecentExecutions applicationId={applicationId} of={{ accountId: account.id }} owner="this account" />
      </section>
      {mayChange() && (
        <EndAccount
          applicationId={applicationId}
          account={account}
          connector={connector}
          onRevoked={onRenewed}
        />
      )}
    </>
  );
}

export function Account() {
  const { applicationId = '', accountId = '' } = useRoute().params;
  const loaded = useLoaded(JSON.stringify([applicationId, accountId]), (signal) =>
    loadAccount(applicationId, accountId, signal),
  );
  const { account, connector } = loaded.value ?? {};
  const isConnected = account?.status === 'authorized';
  return (
    <Page
      title={account ? userOf(account) : 'Connected account'}
      about={account && `Connected account for ${connector?.title ?? account.connector}.`}
      trail={[{ title: 'Connected accounts', href: hrefOf(PATHS.accounts, { applicationId }) }]}
      actions={
        isConnected &&
        mayChange() && (
          <a
            class="button primary"
            href={withQuery(hrefOf(PATHS.tools, { applicationId }), {
              connector: account.connector,
              accountId,
            })}
          >
            Try a tool
          </a>
        )
      }
    >
      <Show of={loaded}>
        {(subject) => <Body subject={subject} applicationId={applicationId} onRenewed={loaded.reload} />}
      </Show>
    </Page>
  );
}

const Moment = ({ title, at }: { readonly title: string; readonly at: string | undefined }) => (
  <Fact title={title}>{at === undefined ? 'Never' : <Time at={at} />}</Fact>
);

/** Shows the state of the connection to which an account belongs, unless the connection works. */
const ConnectionState = ({ words }: { readonly words: StateWords }) =>
  words.tone === 'good' || words.tone === 'soft' ? null : (
    <p>
      <Badge tone={words.tone}>{words.title}</Badge> <span class="soft">{words.explanation}</span>
    </p>
  );

/** Shows the user's name and workspace at the upstream, if they are known. */
function ConnectedAs({ names: { name, workspace } = {} }: { readonly names: Details['connectedAs'] }) {
  const known = [name, workspace].filter((text) => text !== undefined);
  return known.length === 0 ? null : <Fact title="Upstream account">{known.join(', ')}</Fact>;
}

const AccountFacts = ({ applicationId, account, connection, connector }: PartProps) => (
  <dl class="facts">
    <Fact title="User identifier">
      <Copied text={account.identifier} what="the identifier" />
    </Fact>
    <Fact title="More about this user">
      <a href={hrefOf(PATHS.user, { applicationId, identifier: account.identifier })}>
        All accounts, calls and approvals of the user
      </a>
    </Fact>
    {account.account && <Fact title="Account label">{account.account}</Fact>}
    <Fact title="Account ID">
      <Copied text={account.id} what="the account ID" />
    </Fact>
    <Fact title="Connection">
      <a href={hrefOf(PATHS.connection, { applicationId, connectionName: account.connectionName })}>
        {account.connectionName}
      </a>
      {(account.refreshFailure === undefined || connection.health.state !== 'refresh_failing') && (
        <ConnectionState words={connectionWords(connection)} />
      )}
    </Fact>
    <ConnectedAs names={account.connectedAs} />
    <Moment title="Last used" at={account.usedAt} />
    {!takesKey(connector?.authType ?? null) && (
      <>
        <Moment title="Last token refresh" at={account.refreshedAt} />
        {account.expiresAt !== undefined && <Moment title="Access token expires" at={account.expiresAt} />}
      </>
    )}
    {connector?.credentials.map(({ name, title }) => (
      <Fact key={name} title={title}>
        {account.credentials.includes(name) ? 'Stored' : 'Not set'}
      </Fact>
    ))}
    {account.tags.length > 0 && <Fact title="Tags">{account.tags.join(', ')}</Fact>}
    {Object.entries(account.metadata).map(([key, value]) => (
      <Fact key={key} title={key}>
        {value}
      </Fact>
    ))}
    <Moment title="Created" at={account.createdAt} />
    <Fact title="History">
      <a href={withQuery(PATHS.audit, { applicationId, object: account.id })}>Audit events of this account</a>
    </Fact>
  </dl>
);

interface ScopesProps extends Pick<Subject, 'connector'> {
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

function GrantedScopes({ account: { scopes: granted }, connection, connector }: Subject) {
  const missing = connection.scopes.filter((scope) => !granted.includes(scope));
  return (
    <>
      {granted.length === 0 ? (
        <p class="soft">The upstream did not report the granted scopes.</p>
      ) : (
        <Scopes names={granted} connector={connector} />
      )}
      {granted.length > 0 && missing.length > 0 && (
        <>
          <h3>Scopes not granted</h3>
          <Scopes names={missing} connector={connector} />
          <p class="soft">To request the missing scopes again, send the user a new link.</p>
        </>
      )}
    </>
  );
}

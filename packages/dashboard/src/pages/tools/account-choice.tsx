import { mayChange } from '../../api/session.ts';
import { Empty } from '../../parts/empty.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { upstreamUserOf, userOf } from '../../words/user-of.ts';
import type { AccountChoiceState } from './use-accounts.ts';

interface AccountChoiceProps {
  readonly state: AccountChoiceState;
  readonly applicationId: string;
  readonly connector: string;
}

export function AccountChoice({ state, applicationId, connector }: AccountChoiceProps) {
  const { loaded, identifier } = state;
  const { connections = [], connectionName = '', accounts = [], hasMore = false } = loaded.value ?? {};
  if (loaded.error !== undefined) return <ErrorNotice error={loaded.error} retry={loaded.reload} />;
  if (loaded.value !== undefined && connections.length === 0)
    return <NoConnection applicationId={applicationId} connector={connector} />;
  const isEmpty = loaded.value !== undefined && accounts.length === 0;
  const hasNone = isEmpty && identifier === '';
  return (
    <>
      {connections.length > 1 && (
        <SelectField
          label="Connection"
          value={connectionName}
          choices={connections.map(({ connectionName: name }) => ({ value: name, title: name }))}
          onValue={state.setConnection}
        />
      )}
      {(hasMore || identifier !== '') && (
        <TextField
          label="Find account"
          type="search"
          hint="Enter the start of the user identifier."
          value={identifier}
          onValue={state.setIdentifier}
        />
      )}
      {isEmpty && !hasNone && (
        <p role="status">No authorized account has a user identifier that starts with this text.</p>
      )}
      {hasNone ? (
        <NoAccount
          {...{ applicationId, connectionName }}
          hasNoAccounts={connections.length > 1 && loaded.value?.isInUrl === false}
        />
      ) : (
        <Accounts state={state} />
      )}
    </>
  );
}

const Accounts = ({ state: { loaded, chosen, isMissing, choose } }: Pick<AccountChoiceProps, 'state'>) => (
  <fieldset class="field">
    <legend>Run as</legend>
    {isMissing && <p role="status">The account of the call has no access any more. Choose an account.</p>}
    {loaded.value?.accounts.map((account) => (
      <label class="row" key={account.id}>
        <input
          type="radio"
          name="account"
          checked={account.id === chosen?.id}
          onChange={() => choose(account)}
        />
        {userOf(account)}
        <span class="soft">{upstreamUserOf(account.connectedAs)}</span>
      </label>
    ))}
  </fieldset>
);

const NoConnection = ({ applicationId, connector }: Omit<AccountChoiceProps, 'state'>) => (
  <Empty text="This application has no connection for this tool yet.">
    {mayChange() && (
      <a class="button" href={withQuery(hrefOf(PATHS.newConnection, { applicationId }), { connector })}>
        Create connection
      </a>
    )}
  </Empty>
);

interface NoAccountProps {
  readonly applicationId: string;
  readonly connectionName: string;
  /** True if the application has several connections for the tool, and none of them has an authorized account. */
  readonly hasNoAccounts: boolean;
}

const NoAccount = ({ applicationId, connectionName, hasNoAccounts }: NoAccountProps) => (
  <div class="empty">
    {hasNoAccounts ? (
      <p>
        A tool runs as a connected account, and no connection for this tool has an authorized account. Choose
        a connection, then connect an account.
      </p>
    ) : (
      <p>
        A tool runs as a connected account, and this connection has no authorized account yet:{' '}
        <strong>{connectionName}</strong>.
      </p>
    )}
    {mayChange() && (
      <a class="button" href={hrefOf(PATHS.connection, { applicationId, connectionName })}>
        Connect account
      </a>
    )}
  </div>
);

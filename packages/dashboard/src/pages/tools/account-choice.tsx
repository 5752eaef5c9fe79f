import { mayChange } from '../../api/session.ts';
import { SelectField, TextField } from '../../parts/field.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import type { AccountChoiceState } from './use-accounts.ts';

interface AccountChoiceProps {
  readonly state: AccountChoiceState;
  readonly applicationId: string;
  readonly connector: string;
}

/** Chooses the connected account that a tool runs as. */
export function AccountChoice({ state, applicationId, connector }: AccountChoiceProps) {
  const { loaded, identifier } = state;
  const { connections = [], connectionName = '', found = [], hasMore = false } = loaded.value ?? {};
  if (loaded.error !== undefined) return <ErrorNotice error={loaded.error} retry={loaded.reload} />;
  if (loaded.value !== undefined && connections.length === 0)
    return <NoConnection applicationId={applicationId} connector={connector} />;
  const isEmpty = loaded.value !== undefined && found.length === 0;
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
          label="Find the account"
          type="search"
          hint="By the beginning of its identifier."
          value={identifier}
          onValue={state.setIdentifier}
        />
      )}
      {isEmpty && !hasNone && <p role="status">No authorized account begins so.</p>}
      {hasNone ? (
        <NoAccount
          {...{ applicationId, connectionName }}
          isNowhere={connections.length > 1 && loaded.value?.isAsked === false}
        />
      ) : (
        <Found state={state} />
      )}
    </>
  );
}

const Found = ({ state: { loaded, chosen, choose } }: Pick<AccountChoiceProps, 'state'>) => (
  <fieldset class="field">
    <legend>Run as</legend>
    {loaded.value?.found.map((account) => (
      <label class="row" key={account.id}>
        <input
          type="radio"
          name="account"
          checked={account.id === chosen?.id}
          onChange={() => choose(account)}
        />
        {account.identifier}
      </label>
    ))}
  </fieldset>
);

const NoConnection = ({ applicationId, connector }: Omit<AccountChoiceProps, 'state'>) => (
  <div class="empty">
    <p>This application has no connection to the service of this tool yet.</p>
    {mayChange() && (
      <a class="button" href={withQuery(hrefOf(PATHS.newConnection, { applicationId }), { connector })}>
        Create a connection
      </a>
    )}
  </div>
);

interface NoAccountProps {
  readonly applicationId: string;
  readonly connectionName: string;
  /** Tells whether the other connections have no account either. */
  readonly isNowhere: boolean;
}

const NoAccount = ({ applicationId, connectionName, isNowhere }: NoAccountProps) => (
  <div class="empty">
    {isNowhere ? (
      <p>
        None of the connections to this service has an account that may be used: a tool runs as somebody who
        allowed it. Choose the connection, and connect one.
      </p>
    ) : (
      <p>
        No account of the connection <strong>{connectionName}</strong> may be used yet: a tool runs as
        somebody who allowed it.
      </p>
    )}
    {mayChange() && (
      <a class="button" href={hrefOf(PATHS.connection, { applicationId, connectionName })}>
        Connect an account
      </a>
    )}
  </div>
);

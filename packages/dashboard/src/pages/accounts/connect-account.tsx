import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Connector } from '../../api/catalogue.ts';
import { loadConnectorsAndConnections } from '../../api/connections.ts';
import { useAddressFilters } from '../../parts/address-filters.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { type Changeable, PLAIN, SelectField, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Show, useLoaded } from '../../parts/loaded.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import { hrefOf, PATHS } from '../../paths.ts';
import { takesKey } from '../../words/states.ts';
import { userOf } from '../../words/user-of.ts';
import { AuthorizationLink, createLink, type Link } from './authorization-link.tsx';
import { SecretFields } from './secret-fields.tsx';
import { NO_SECRETS, saveSecrets, secretsOf } from './secrets.ts';

interface ConnectAccountProps {
  readonly applicationId: string;
  /** Name of the connection that is selected first. If absent, the first connection of the application is selected. */
  readonly connectionName?: string | undefined;
}

interface Option {
  readonly connectionName: string;
  readonly connector: Connector;
  readonly baseUrl: string | null;
}

async function loadOptions(applicationId: string, signal: AbortSignal): Promise<readonly Option[]> {
  const { connectors, connections } = await loadConnectorsAndConnections(applicationId, signal);
  return connections.flatMap(({ connectionName, connector, baseUrl }) => {
    const match = connectors.find(({ id }) => id === connector);
    return match ? [{ connectionName, connector: match, baseUrl }] : [];
  });
}

interface ConnectionFieldProps {
  readonly options: readonly Option[];
  readonly chosen: Option;
  readonly onChosen: (connectionName: string) => void;
}

const ConnectionField = ({ options, chosen, onChosen }: ConnectionFieldProps) => (
  <SelectField
    label="Connection"
    value={chosen.connectionName}
    choices={options.map(({ connectionName: value, connector: { title } }) => ({
      value,
      title: value === title.toLowerCase() ? title : `${value} (${title})`,
    }))}
    onValue={onChosen}
  />
);

const IdentifierField = (props: Changeable) => (
  <TextField
    {...props}
    label="User identifier"
    hint="The ID of the user in your application, such as the primary key in your database."
    required
    maxLength={256}
    {...PLAIN}
  />
);

const LabelField = (props: Changeable) => (
  <TextField
    {...props}
    label="Account label"
    hint="A name such as “work”, needed only if the user has several accounts on this connection."
    maxLength={64}
    {...PLAIN}
  />
);

interface NewAccountProps {
  readonly applicationId: string;
  readonly options: readonly Option[];
  readonly first: Option;
  readonly onClose: () => void;
}

function NewAccount({ applicationId, options, first, onClose }: NewAccountProps) {
  const { route } = useLocation();
  const draft = useDraft({
    form: 'connect',
    initial: { connectionName: first.connectionName, identifier: '', account: '', ...NO_SECRETS },
    secrets: ['key', 'credentials'],
  });
  const { connectionName, identifier, account, ...typed } = draft.value;
  const option = options.find((each) => each.connectionName === connectionName) ?? first;
  const [link, setLink] = useState<Link>();
  const { connector } = option;
  const path = { applicationId, connectionName, identifier, account };
  const show = (accountId: string) => route(hrefOf(PATHS.account, { applicationId, accountId }));
  const isByKey = takesKey(connector.authType);
  const connect = async () => {
    if (isByKey) return saveKey();
    setLink(await createLink(path));
    draft.reset();
  };
  const saveKey = async () => {
    const { id } = await saveSecrets(path, secretsOf(connector.authType, typed));
    draft.reset();
    showToast(`“${userOf(path)}” is connected.`);
    show(id);
  };
  if (link) return <AuthorizationLink path={path} link={link} onConnected={show} onClose={onClose} />;
  return (
    <Form submit={isByKey ? 'Connect' : 'Create link'} onSubmit={connect} onCancel={onClose}>
      <ConnectionField
        options={options}
        chosen={option}
        onChosen={(chosen) => draft.change({ connectionName: chosen, ...NO_SECRETS })}
      />
      <IdentifierField value={identifier} onValue={(next) => draft.change({ identifier: next })} />
      <LabelField value={account} onValue={(next) => draft.change({ account: next })} />
      <SecretFields
        connector={connector}
        typed={typed}
        onTyped={draft.change}
        baseUrl={option.baseUrl}
        isKeyNeeded
      />
    </Form>
  );
}

function ConnectDialog({
  applicationId,
  connectionName,
  onClose,
}: ConnectAccountProps & { readonly onClose: () => void }) {
  const options = useLoaded(applicationId, (signal) => loadOptions(applicationId, signal));
  return (
    <Dialog title="Connect account" onClose={onClose}>
      <Show of={options}>
        {(all) => {
          const first = all.find((each) => each.connectionName === connectionName) ?? all[0];
          return first ? (
            <NewAccount applicationId={applicationId} options={all} first={first} onClose={onClose} />
          ) : (
            <p>
              An account needs a connection, and this application has none.{' '}
              <a href={hrefOf(PATHS.newConnection, { applicationId })}>Create a connection</a>
            </p>
          );
        }}
      </Show>
    </Dialog>
  );
}

/**
 * Shows the button "Connect account" and its dialog. The URL stores whether the dialog is open, so that links can open
 * it.
 */
export function ConnectAccount(props: ConnectAccountProps) {
  const { filters, setFilters } = useAddressFilters(['connect']);
  return (
    <>
      <button type="button" class="primary" onClick={() => setFilters({ connect: 'open' })}>
        Connect account
      </button>
      {filters.connect !== '' && <ConnectDialog {...props} onClose={() => setFilters({ connect: '' })} />}
    </>
  );
}

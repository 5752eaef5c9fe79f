import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { Connector } from '../../api/catalogue.ts';
import { PLAIN, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { takesKey } from '../../words/states.ts';
import { AddressFields, type FieldsProps, hasAddresses, RegionField } from './address-fields.tsx';
import { ApprovalFields } from './approval-fields.tsx';
import { FurtherScopes, ScopeChecklist, type ScopesProps } from './scope-checklist.tsx';
import { type Connection, changesOf, needsSecretAgain, type Settings, settingsOf } from './settings.ts';

interface SettingsFormProps {
  readonly applicationId: string;
  readonly connection: Connection;
  readonly connector: Connector;
  readonly onSaved: () => void;
}

interface ClientProps {
  readonly connection: Connection;
  readonly settings: Settings;
  readonly onChange: (change: Partial<Settings>) => void;
  readonly isNeeded: boolean;
}

const SECRET_AGAIN =
  'The secret that is stored was given for the client and addresses before. Enter the one that goes with the change.';

function Client({ connection, settings, onChange, isNeeded }: ClientProps) {
  const isStored = connection.hasClientSecret;
  return (
    <>
      <TextField
        label="Client ID"
        value={settings.clientId}
        onValue={(clientId) => onChange({ clientId: clientId.trim() })}
        required={connection.authType === 'oauth2'}
        {...PLAIN}
      />
      <TextField
        label="Client secret"
        type="password"
        hint={
          isStored
            ? 'A secret is stored, encrypted, and is never shown. Leave this empty to keep it.'
            : 'It is stored encrypted, and never shown again.'
        }
        wrong={isNeeded ? SECRET_AGAIN : undefined}
        value={settings.clientSecret}
        onValue={(clientSecret) => onChange({ clientSecret: clientSecret.trim() })}
        required={isNeeded}
        autoComplete="off"
      />
    </>
  );
}

interface AdvancedProps {
  readonly connector: Connector;
  readonly client: ClientProps;
  readonly scopes: ScopesProps;
  readonly addresses: FieldsProps;
}

const Advanced = ({ connector, client, scopes, addresses }: AdvancedProps) => (
  <details>
    <summary>Advanced</summary>
    <div class="stack">
      {connector.authType === 'mcp_oauth' && (
        <>
          <p class="soft">
            The upstream gives this connection a client by itself. Enter one only where it does not.
          </p>
          <Client {...client} />
        </>
      )}
      {!takesKey(connector.authType) && <FurtherScopes {...scopes} />}
      {hasAddresses(connector) && (
        <>
          <p class="soft">
            The addresses stay as they are while there are accounts: their credentials were given for these.
          </p>
          <AddressFields {...addresses} />
        </>
      )}
    </div>
  </details>
);

/** The settings that the connector's authorization needs. Rare ones are folded away. */
export function SettingsForm({ applicationId, connection, connector, onSaved }: SettingsFormProps) {
  const before = settingsOf(connection, connector);
  const [settings, setSettings] = useState(before);
  const onChange = (change: Partial<Settings>) => setSettings((all) => ({ ...all, ...change }));
  const onChosen = (scopes: readonly string[]) => onChange({ scopes });
  const change = changesOf(before, settings);
  const scopes = { connector, chosen: settings.scopes, onChosen };
  const client = { connection, settings, onChange, isNeeded: needsSecretAgain(connection, change) };
  const addresses = { connector, before, settings, onChange };
  const save = async () => {
    if (Object.keys(change).length === 0) return say('There was nothing to save.');
    await call('PATCH /operator/v1/applications/{applicationId}/connections/{connectionName}', {
      path: { applicationId, connectionName: connection.connectionName },
      body: change,
    });
    onSaved();
  };
  const hasAdvanced = hasAddresses(connector) || !takesKey(connector.authType);
  return (
    <Form submit="Save" onSubmit={save}>
      {connector.authType === 'oauth2' && <Client {...client} />}
      {connector.scopes.length > 0 && <ScopeChecklist {...scopes} />}
      <RegionField {...addresses} />
      <ApprovalFields connector={connector.id} policy={settings.approve} onChange={onChange} />
      {hasAdvanced && (
        <Advanced connector={connector} client={client} scopes={scopes} addresses={addresses} />
      )}
    </Form>
  );
}

import { call } from '../../api/call.ts';
import type { Connector } from '../../api/catalogue.ts';
import { CheckField, PLAIN, SECRET_STORAGE, SECRET_STORED, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import { takesKey } from '../../words/states.ts';
import { AddressFields, type FieldsProps, hasAddresses, RegionField } from './address-fields.tsx';
import { ApprovalFields } from './approval-fields.tsx';
import { AdditionalScopes, ScopeChecklist, type ScopesProps } from './scope-checklist.tsx';
import { type Connection, changesOf, needsNewSecret, type Settings, settingsOf } from './settings.ts';

interface SettingsFormProps {
  readonly applicationId: string;
  readonly connection: Connection;
  readonly connector: Connector;
  readonly onSaved: () => void;
  /** Loads the connection again after a save failed because somebody else has changed the connection. */
  readonly onReload: () => void;
}

const LABELS: Readonly<Record<Exclude<keyof Settings, 'clientSecret'>, string>> = {
  clientId: 'Client ID',
  scopes: 'Scopes',
  region: 'Region',
  baseUrl: 'Base URL',
  hosts: 'Other base URLs',
  authorizationEndpoint: 'Authorization endpoint',
  tokenEndpoint: 'Token endpoint',
  revocationEndpoint: 'Revocation endpoint',
  allowUnannouncedPkce: 'Allow an authorization server that does not announce PKCE',
  approve: 'Approvals',
  storeUpstreamErrors: 'Store error messages of the upstream',
};

interface ClientProps {
  readonly connection: Connection;
  readonly settings: Settings;
  readonly onChange: (change: Partial<Settings>) => void;
  readonly isNeeded: boolean;
}

const SECRET_NEEDED =
  'The stored client secret belongs to the previous client ID or URLs. Enter the client secret for the new client ID or URLs.';

const Client = ({ connection, settings, onChange, isNeeded }: ClientProps) => (
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
      hint={connection.hasClientSecret ? SECRET_STORED : SECRET_STORAGE}
      wrong={isNeeded ? SECRET_NEEDED : undefined}
      value={settings.clientSecret}
      onValue={(clientSecret) => onChange({ clientSecret: clientSecret.trim() })}
      required={isNeeded}
      autoComplete="off"
    />
  </>
);

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
            Most upstreams of this type register a client automatically. Enter a client ID only if the
            upstream does not register clients.
          </p>
          <Client {...client} />
          <CheckField
            label="Allow an authorization server that does not announce PKCE"
            hint="PKCE protects the authorization codes of users, and the service always uses it. Select this option only if the authorization server supports PKCE."
            checked={client.settings.allowUnannouncedPkce}
            onValue={(allowUnannouncedPkce) => client.onChange({ allowUnannouncedPkce })}
          />
        </>
      )}
      {!takesKey(connector.authType) && <AdditionalScopes {...scopes} />}
      {hasAddresses(connector) && (
        <>
          <p class="soft">
            You can change the URLs only while the connection has no accounts, because the stored credentials
            are valid only for the current URLs.
          </p>
          <AddressFields {...addresses} />
        </>
      )}
    </div>
  </details>
);

export function SettingsForm(props: SettingsFormProps) {
  const { applicationId, connection, connector, onSaved, onReload } = props;
  const before = settingsOf(connection, connector);
  const draft = useDraft({ form: 'settings', initial: before, secrets: ['clientSecret'] });
  const { value: settings, change: onChange } = draft;
  const onChosen = (scopes: readonly string[]) => onChange({ scopes });
  const change = changesOf(before, settings);
  const scopes = { connector, chosen: settings.scopes, onChosen };
  const client = { connection, settings, onChange, isNeeded: needsNewSecret(connection, change) };
  const addresses = { connector, before, settings, onChange };
  const save = async () => {
    if (Object.keys(change).length === 0) return showToast('No changes to save.');
    const path = { applicationId, connectionName: connection.connectionName };
    await call(
      'PATCH /operator/v1/applications/{applicationId}/connections/{connectionName}',
      { path, body: change },
      { ifMatch: connection.etag },
    );
    draft.reset({ ...settings, clientSecret: '' });
    onSaved();
  };
  const hasAdvanced = hasAddresses(connector) || !takesKey(connector.authType);
  return (
    <Form submit="Save" onSubmit={save} edit={{ compared: { draft, labels: LABELS }, onReload }}>
      {connector.authType === 'oauth2' && (
        <fieldset class="field">
          <legend>Credentials from the upstream</legend>
          <div class="stack">
            <Client {...client} />
          </div>
        </fieldset>
      )}
      {connector.scopes.length > 0 && <ScopeChecklist {...scopes} />}
      <RegionField {...addresses} />
      <ApprovalFields connector={connector.id} policy={settings.approve} onChange={onChange} />
      <CheckField
        label="Store error messages of the upstream"
        hint="With this option, executions show why the upstream refused a call. The service removes secrets and user data from the messages."
        checked={settings.storeUpstreamErrors}
        onValue={(storeUpstreamErrors) => onChange({ storeUpstreamErrors })}
      />
      {hasAdvanced && (
        <Advanced connector={connector} client={client} scopes={scopes} addresses={addresses} />
      )}
    </Form>
  );
}

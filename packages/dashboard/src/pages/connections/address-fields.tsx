import type { Connector } from '../../api/catalogue.ts';
import { PLAIN, SelectField, TextField } from '../../parts/field.tsx';
import type { Settings } from './settings.ts';

export interface FieldsProps {
  readonly connector: Connector;
  /** Settings of the connection before the operator changed them. */
  readonly before: Settings;
  readonly settings: Settings;
  readonly onChange: (change: Partial<Settings>) => void;
}

const ENDPOINTS = [
  { name: 'authorizationEndpoint', label: 'Authorization endpoint' },
  { name: 'tokenEndpoint', label: 'Token endpoint' },
  { name: 'revocationEndpoint', label: 'Revocation endpoint' },
] as const;

const URL_FIELD = { ...PLAIN, type: 'url' } as const;

const BaseUrl = ({ settings, onChange }: FieldsProps) => (
  <TextField
    {...URL_FIELD}
    label="Base URL"
    hint="The URL of the upstream API. The service appends the path of each request to this URL."
    required
    value={settings.baseUrl}
    onValue={(baseUrl) => onChange({ baseUrl })}
  />
);

const hasRegions = ({ regions }: Connector): boolean => Object.keys(regions).length > 0;

export function RegionField(props: FieldsProps) {
  const { connector, settings, onChange } = props;
  if (!hasRegions(connector)) return null;
  return (
    <>
      <SelectField
        label="Region"
        hint="Credentials of one region do not work in another region."
        value={settings.region}
        choices={[
          ...Object.entries(connector.regions).map(([value, address]) => ({
            value,
            title: `${value} (${new URL(address).host})`,
          })),
          { value: '', title: 'Custom base URL' },
        ]}
        onValue={(region) => onChange({ region })}
      />
      {settings.region === '' && <BaseUrl {...props} />}
    </>
  );
}

/** Returns true if the connection has URL settings other than the region. */
export const hasAddresses = (connector: Connector): boolean =>
  !hasRegions(connector) || Object.keys(connector.hosts).length > 0 || connector.authType === 'oauth2';

/** Shows the form fields for the URLs of the upstream. Their values override the defaults of the connector. */
export const AddressFields = (props: FieldsProps) => {
  const { connector, before, settings, onChange } = props;
  return (
    <>
      {!hasRegions(connector) && <BaseUrl {...props} />}
      {Object.entries(settings.hosts).map(([name, value]) => (
        <TextField
          {...URL_FIELD}
          key={name}
          label={`Base URL of “${name}”`}
          required
          value={value}
          onValue={(host) => onChange({ hosts: { ...settings.hosts, [name]: host } })}
        />
      ))}
      {connector.authType === 'oauth2' &&
        ENDPOINTS.map(({ name, label }) => (
          <TextField
            {...URL_FIELD}
            key={name}
            label={label}
            required={before[name] !== ''}
            value={settings[name]}
            onValue={(value) => onChange({ [name]: value })}
          />
        ))}
    </>
  );
};

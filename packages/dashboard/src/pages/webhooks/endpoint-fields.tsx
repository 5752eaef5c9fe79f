import { loadUpstreamEventTypes } from '../../api/catalogue.ts';
import { listConnections } from '../../api/connections.ts';
import { CheckField, PLAIN, SelectField, TextField, withChosen } from '../../parts/field.tsx';
import { useLoaded } from '../../parts/loaded.tsx';
import { EVENT_TYPES, type EventType, titleOfEvent } from '../../words/webhooks.ts';

export interface EndpointSettings {
  readonly url: string;
  readonly description: string;
  readonly types: readonly EventType[];
  /** Name of the connection whose events the endpoint gets. Empty: it gets the events of all connections. */
  readonly connectionName: string;
  readonly ordered: boolean;
}

/**
 * Names of the form fields in the API. Errors that the service reports for these names are shown next to the fields.
 */
export const FIELD_NAMES = ['url', 'description', 'types', 'connectionName', 'ordered'] as const;

export const LABELS: Readonly<Record<keyof EndpointSettings, string>> = {
  url: 'URL',
  description: 'Description',
  types: 'Events',
  connectionName: 'Connection',
  ordered: 'Deliver in order',
};

interface EndpointFieldsProps {
  readonly applicationId: string;
  readonly value: EndpointSettings;
  readonly change: (change: Partial<EndpointSettings>) => void;
  readonly wrong: Readonly<Partial<Record<keyof EndpointSettings, string>>>;
  readonly isNew?: boolean;
}

/** Form fields for the settings of a webhook endpoint. */
export const EndpointFields = ({
  applicationId,
  value,
  change,
  wrong,
  isNew = false,
}: EndpointFieldsProps) => (
  <>
    <TextField
      label={LABELS.url}
      type="url"
      hint="An https URL of your application, on port 443."
      wrong={wrong.url}
      placeholder="https://hooks.example.com/svc"
      value={value.url}
      onValue={(url) => change({ url })}
      maxLength={2048}
      required
      autofocus={isNew}
      {...PLAIN}
    />
    <TextField
      label={LABELS.description}
      hint="A note for your team, such as “Production”."
      wrong={wrong.description}
      value={value.description}
      onValue={(description) => change({ description })}
      maxLength={256}
      autoComplete="off"
    />
    <TypesField value={value.types} onValue={(types) => change({ types })} wrong={wrong.types} />
    <ConnectionField
      applicationId={applicationId}
      value={value.connectionName}
      onValue={(connectionName) => change({ connectionName })}
      wrong={wrong.connectionName}
    />
    <CheckField
      label={LABELS.ordered}
      hint="Each event of an account waits until the previous event of that account was delivered or has finally failed."
      checked={value.ordered}
      onValue={(ordered) => change({ ordered })}
    />
  </>
);

interface ConnectionFieldProps {
  readonly applicationId: string;
  readonly value: string;
  readonly onValue: (connectionName: string) => void;
  readonly wrong: string | undefined;
}

function ConnectionField({ applicationId, value, onValue, wrong }: ConnectionFieldProps) {
  const { value: connections = [] } = useLoaded(applicationId, (signal) =>
    listConnections(applicationId, signal),
  );
  const names = connections.map(({ connectionName }) => ({ value: connectionName, title: connectionName }));
  return (
    <SelectField
      label={LABELS.connectionName}
      hint="Events that are about no connection arrive anyway."
      value={value}
      choices={withChosen([{ value: '', title: 'All connections' }, ...names], value)}
      onValue={onValue}
      wrong={wrong}
    />
  );
}

interface TypesFieldProps {
  readonly value: readonly EventType[];
  readonly onValue: (types: readonly EventType[]) => void;
  readonly wrong: string | undefined;
}

function TypesField({ value, onValue, wrong }: TypesFieldProps) {
  const { value: upstreamTypes = [] } = useLoaded('', loadUpstreamEventTypes);
  // Includes the selected types, because a connector of the endpoint may no longer exist.
  const choices = [...new Set([...EVENT_TYPES, ...upstreamTypes, ...value])];
  const toggle = (type: EventType, isOn: boolean) =>
    onValue(choices.filter((each) => (each === type ? isOn : value.includes(each))));
  const isAll = value.length === choices.length;
  return (
    <fieldset class="field">
      <legend>{LABELS.types}</legend>
      <p class="hint">Choose at least one type.</p>
      <div class="types">
        {choices.map((type) => (
          <CheckField
            key={type}
            label={titleOfEvent(type)}
            hint={<code>{type}</code>}
            checked={value.includes(type)}
            onValue={(isOn) => toggle(type, isOn)}
          />
        ))}
      </div>
      <div>
        <button type="button" class="small" onClick={() => onValue(isAll ? [] : choices)}>
          {isAll ? 'Choose none' : 'Choose all'}
        </button>
      </div>
      {wrong && <p class="wrong">{wrong}</p>}
    </fieldset>
  );
}

import { CheckField, PLAIN, TextField } from '../../parts/field.tsx';
import { EVENT_TYPES, type EventType, titleOfEvent } from '../../words/webhooks.ts';

export interface EndpointSettings {
  readonly url: string;
  readonly description: string;
  readonly types: readonly EventType[];
  readonly ordered: boolean;
}

/**
 * Names of the form fields in the API. Errors that the service reports for these names are shown next to the fields.
 */
export const FIELD_NAMES = ['url', 'description', 'types', 'ordered'] as const;

export const LABELS: Readonly<Record<keyof EndpointSettings, string>> = {
  url: 'URL',
  description: 'Description',
  types: 'Events',
  ordered: 'Deliver in order',
};

interface EndpointFieldsProps {
  readonly value: EndpointSettings;
  readonly change: (change: Partial<EndpointSettings>) => void;
  readonly wrong: Readonly<Partial<Record<keyof EndpointSettings, string>>>;
  readonly isNew?: boolean;
}

/** Form fields for the settings of a webhook endpoint. */
export const EndpointFields = ({ value, change, wrong, isNew = false }: EndpointFieldsProps) => (
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
    <CheckField
      label={LABELS.ordered}
      hint="Each event of an account waits until the previous event of that account was delivered or has finally failed."
      checked={value.ordered}
      onValue={(ordered) => change({ ordered })}
    />
  </>
);

interface TypesFieldProps {
  readonly value: readonly EventType[];
  readonly onValue: (types: readonly EventType[]) => void;
  readonly wrong: string | undefined;
}

function TypesField({ value, onValue, wrong }: TypesFieldProps) {
  // Includes selected types that are not in `EVENT_TYPES`, because applications can select types of upstream webhooks
  // by the API.
  const choices = [...EVENT_TYPES, ...value.filter((type) => !EVENT_TYPES.includes(type))];
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

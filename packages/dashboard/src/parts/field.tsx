import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly wrong?: string | undefined;
}

/** HTML attributes that connect a form control with its label, hint and error message. */
export interface Described {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

interface LabelledProps extends FieldProps {
  readonly children: (described: Described) => ComponentChildren;
}

export function Labelled({ label, hint, wrong, children }: LabelledProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': wrong === undefined ? undefined : true,
      })}
      {wrong && (
        <p class="wrong" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
    </div>
  );
}

interface InputProps {
  readonly type?: 'text' | 'password' | 'search' | 'url' | 'datetime-local';
  readonly autoComplete?: 'username' | 'current-password' | 'new-password' | 'off';
  readonly required?: boolean;
  readonly autofocus?: boolean;
  readonly placeholder?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly spellcheck?: boolean;
}

export interface Changeable<Value = string> {
  readonly value: Value;
  readonly onValue: (value: Value) => void;
}

type TextFieldProps = FieldProps & InputProps & Changeable;

/** Hints for form fields whose value is stored encrypted. */
export const SECRET_STORAGE = 'Stored encrypted and never shown again.';
export const SECRET_STORED =
  'The service encrypts the stored secret and never shows it. Leave this field empty to keep the stored secret.';

/** HTML attributes that disable autocomplete and spell checking in fields for names, URLs and keys. */
export const PLAIN = { autoComplete: 'off', spellcheck: false } as const;

export const TextField = ({ label, hint, wrong, value, onValue, ...input }: TextFieldProps) => (
  <Labelled label={label} hint={hint} wrong={wrong}>
    {(described) => {
      // A separate variable avoids a type error, because Preact's types require a literal value for the input type.
      const attributes: Readonly<Record<string, unknown>> = { ...input, ...described };
      return <input {...attributes} value={value} onInput={(event) => onValue(event.currentTarget.value)} />;
    }}
  </Labelled>
);

interface TextAreaFieldProps extends FieldProps, Changeable {
  readonly rows?: number;
  readonly placeholder?: string;
}

export const TextAreaField = ({ label, hint, wrong, value, onValue, ...area }: TextAreaFieldProps) => (
  <Labelled label={label} hint={hint} wrong={wrong}>
    {(described) => (
      <textarea
        {...area}
        {...described}
        spellcheck={false}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    )}
  </Labelled>
);

export interface Choice {
  readonly value: string;
  readonly title: string;
}

/** Choice of a filter that selects all items. */
export const ALL: Choice = { value: '', title: 'All' };

/** Adds the chosen value to the choices if it is missing, for example because it comes from the URL. */
export const withChosen = (choices: readonly Choice[], chosen: string): readonly Choice[] =>
  choices.some(({ value }) => value === chosen) ? choices : [...choices, { value: chosen, title: chosen }];

interface SelectFieldProps extends FieldProps, Changeable {
  readonly choices: readonly Choice[];
}

export const SelectField = ({ label, hint, wrong, value, choices, onValue }: SelectFieldProps) => (
  <Labelled label={label} hint={hint} wrong={wrong}>
    {(described) => (
      <select {...described} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {choices.map(({ value: each, title }) => (
          <option key={each} value={each}>
            {title}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);

interface RadioFieldProps<Value extends string> extends Changeable<Value> {
  readonly label: string;
  /** Name of the radio button group in HTML. */
  readonly name: string;
  readonly choices: readonly {
    readonly value: Value;
    readonly title: string;
    readonly description?: string;
  }[];
}

export const RadioField = <Value extends string>(props: RadioFieldProps<Value>) => (
  <fieldset class="field">
    <legend>{props.label}</legend>
    <div>
      {props.choices.map(({ value, title, description }) => (
        <label class="check" key={value}>
          <input
            type="radio"
            name={props.name}
            checked={value === props.value}
            onChange={() => props.onValue(value)}
          />
          <span>
            {title}
            {description && <span class="soft">: {description}</span>}
          </span>
        </label>
      ))}
    </div>
  </fieldset>
);

interface CheckFieldProps {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly checked: boolean;
  readonly onValue: (checked: boolean) => void;
  /** Details below the checkbox, which screen readers do not read as part of the label. */
  readonly children?: ComponentChildren;
}

export function CheckField({ label, hint, checked, onValue, children }: CheckFieldProps) {
  const id = useId();
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="soft" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
    </div>
  );
}

/** Splits text into trimmed lines, without empty lines. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

import { useEffect, useRef, useState } from 'preact/hooks';
import { type Described, PLAIN } from '../parts/field.tsx';
import { jsonHintOf } from './control-of.ts';
import { useForm } from './form-scope.ts';
import type { SchemaFieldProps } from './legend.tsx';

/** Properties of a form control. A `value` of `undefined` means an empty field. */
export interface ControlProps extends Omit<SchemaFieldProps, 'name' | 'isItem'> {
  readonly described: Described;
}

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
const readText = (text: string) => (text === '' ? undefined : text);

const inputOfType =
  (type: { readonly type: 'text' } | { readonly type: 'password' }) =>
  ({ value, onValue, described }: ControlProps) => (
    <input
      {...described}
      {...PLAIN}
      {...type}
      value={textOf(value)}
      onInput={(event) => onValue(readText(event.currentTarget.value))}
    />
  );

export const TextControl = inputOfType({ type: 'text' });
export const SecretControl = inputOfType({ type: 'password' });

export const MultilineControl = ({ value, onValue, described }: ControlProps) => (
  <textarea
    {...described}
    rows={1}
    value={textOf(value)}
    onInput={(event) => onValue(readText(event.currentTarget.value))}
  />
);

/** Parses a number while the user types. Incomplete input such as `1.` remains a string. */
function readNumber(text: string): unknown {
  const number = Number(text);
  return String(number) === text ? number : readText(text);
}

/** Converts a string such as `1.0` to a number when the field loses the focus. */
const toNumber = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;

export const NumberControl = ({ value, onValue, described }: ControlProps) => (
  <input
    {...described}
    type="text"
    inputMode="decimal"
    autoComplete="off"
    value={textOf(value)}
    onInput={(event) => onValue(readNumber(event.currentTarget.value))}
    onBlur={() => onValue(toNumber(value))}
  />
);

export function ChoiceControl({ schema, value, onValue, isRequired, described }: ControlProps) {
  const known = schema.type === 'boolean' ? [true, false] : (schema.enum ?? [schema.const]);
  const choices = value === undefined || known.includes(value) ? known : [...known, value];
  return (
    <select
      {...described}
      value={choices.indexOf(value)}
      onChange={(event) => onValue(choices[Number(event.currentTarget.value)])}
    >
      <option value={-1}>{isRequired ? 'Choose…' : 'Not set'}</option>
      {choices.map((each, index) => (
        <option key={index} value={index}>
          {textOf(each)}
        </option>
      ))}
    </select>
  );
}

const jsonOf = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

function readJson(text: string): { readonly value?: unknown; readonly reason?: string } {
  if (text.trim() === '') return {};
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return {
      reason: `Invalid JSON: ${error instanceof Error ? error.message : 'the text cannot be parsed'}.`,
    };
  }
}

interface JsonTextProps extends Pick<ControlProps, 'value' | 'onValue' | 'pointer' | 'described'> {
  /** True if this field contains the whole input of the form. The field is then larger. */
  readonly isWhole?: boolean;
}

/** Text field for JSON. Invalid text remains in the field until the user corrects it. */
export function JsonText({ value, onValue, pointer, described, isWhole = false }: JsonTextProps) {
  const { onInvalidJson } = useForm();
  const [text, setText] = useState(() => jsonOf(value));
  const parsed = useRef(value);
  useEffect(() => {
    if (parsed.current === value) return;
    parsed.current = value;
    setText(jsonOf(value));
    onInvalidJson(pointer, undefined);
  }, [value]);
  useEffect(() => () => onInvalidJson(pointer, undefined), [pointer]);
  const onInput = (typed: string) => {
    const { reason, value: next } = readJson(typed);
    setText(typed);
    onInvalidJson(pointer, reason);
    if (reason !== undefined) return;
    parsed.current = next;
    onValue(next);
  };
  return (
    <textarea
      {...described}
      class={isWhole ? 'mono whole' : 'mono'}
      spellcheck={false}
      value={text}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

export const JsonControl = ({ schema, ...props }: ControlProps) => (
  <>
    <JsonText {...props} />
    <p class="hint">{jsonHintOf(schema)}</p>
  </>
);

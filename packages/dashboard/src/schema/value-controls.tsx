import { useEffect, useRef, useState } from 'preact/hooks';
import type { Described } from '../parts/field.tsx';
import { formsOf } from './control-of.ts';
import { useForm } from './form-scope.ts';
import type { SchemaFieldProps } from './legend.tsx';

/** A control of one value; `undefined` is a value that is not given. */
export interface ControlProps extends Omit<SchemaFieldProps, 'name' | 'isItem'> {
  readonly described: Described;
}

const shownText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
const readText = (text: string) => (text === '' ? undefined : text);

export const TextControl = ({ value, onValue, described }: ControlProps) => (
  <input
    {...described}
    type="text"
    autoComplete="off"
    spellcheck={false}
    value={shownText(value)}
    onInput={(event) => onValue(readText(event.currentTarget.value))}
  />
);

export const SecretControl = ({ value, onValue, described }: ControlProps) => (
  <input
    {...described}
    type="password"
    autoComplete="off"
    value={shownText(value)}
    onInput={(event) => onValue(readText(event.currentTarget.value))}
  />
);

export const WordsControl = ({ value, onValue, described }: ControlProps) => (
  <textarea
    {...described}
    rows={1}
    value={shownText(value)}
    onInput={(event) => onValue(readText(event.currentTarget.value))}
  />
);

/** Reads a number. Unfinished input such as `1.` stays a text. */
export function readNumber(text: string): unknown {
  const number = Number(text);
  return String(number) === text ? number : readText(text);
}

const settleNumber = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;

export const NumberControl = ({ value, onValue, described }: ControlProps) => (
  <input
    {...described}
    type="text"
    inputMode="decimal"
    autoComplete="off"
    value={shownText(value)}
    onInput={(event) => onValue(readNumber(event.currentTarget.value))}
    onBlur={() => onValue(settleNumber(value))}
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
      <option value={-1}>{isRequired ? 'Choose…' : 'Not given'}</option>
      {choices.map((each, index) => (
        <option key={index} value={index}>
          {shownText(each)}
        </option>
      ))}
    </select>
  );
}

const shownJson = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

function readJson(text: string): { readonly value?: unknown; readonly reason?: string } {
  if (text.trim() === '') return {};
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return {
      reason: `This is not JSON yet: ${error instanceof Error ? error.message : 'it cannot be read'}.`,
    };
  }
}

interface JsonTextProps extends Pick<ControlProps, 'value' | 'onValue' | 'pointer' | 'described'> {
  /** The only field of a form: it gets more room. */
  readonly isWhole?: boolean;
}

/** A value as JSON. The typed text stays while it is not valid. */
export function JsonText({ value, onValue, pointer, described, isWhole = false }: JsonTextProps) {
  const { onUnreadable } = useForm();
  const [text, setText] = useState(() => shownJson(value));
  const read = useRef(value);
  useEffect(() => {
    if (read.current === value) return;
    read.current = value;
    setText(shownJson(value));
    onUnreadable(pointer, undefined);
  }, [value]);
  useEffect(() => () => onUnreadable(pointer, undefined), [pointer]);
  const hear = (typed: string) => {
    const { reason, value: next } = readJson(typed);
    setText(typed);
    onUnreadable(pointer, reason);
    if (reason !== undefined) return;
    read.current = next;
    onValue(next);
  };
  return (
    <textarea
      {...described}
      class={isWhole ? 'mono whole' : 'mono'}
      spellcheck={false}
      value={text}
      onInput={(event) => hear(event.currentTarget.value)}
    />
  );
}

export const JsonControl = ({ schema, ...props }: ControlProps) => (
  <>
    <JsonText {...props} />
    <p class="hint">{formsOf(schema)}</p>
  </>
);

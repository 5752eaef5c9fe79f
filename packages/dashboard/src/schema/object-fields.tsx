import type { JsonObject, JsonSchema } from '@svc/catalog/rules';
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import type { SchemaFieldProps } from './legend.tsx';
import { step } from './place.ts';
import { chosenFields, given, rulesOf } from './rules-of.ts';

interface ObjectFieldsProps {
  readonly schema: JsonSchema;
  readonly pointer: string;
  readonly value: JsonObject;
  readonly onValue: (value: JsonObject) => void;
  /** Of each property. */
  readonly Field: ComponentType<SchemaFieldProps>;
}

/** So few optional fields stand with the others. */
const FEW = 3;

/** The names of the fields: those that matter at first, and those that most calls leave out. */
function sortFields(schema: JsonSchema, value: JsonObject) {
  const names = Object.keys(schema.properties ?? {});
  const important = new Set([
    ...(schema.required ?? []),
    ...chosenFields(schema),
    ...Object.keys(given(value)),
  ]);
  const first = names.filter((name) => important.has(name));
  const rest = names.filter((name) => !important.has(name));
  return rest.length <= FEW ? { first: names, rest: [] } : { first, rest };
}

/** The fields of an object with the rules across them. Those with a value at first stay where they are while one types. */
export function ObjectFields({ schema, pointer, value, onValue, Field }: ObjectFieldsProps) {
  const [{ first, rest }] = useState(() => sortFields(schema, value));
  const fieldsOf = (names: readonly string[]) =>
    names.map((name) => (
      <Field
        key={name}
        schema={schema.properties?.[name] ?? {}}
        name={name}
        pointer={`${pointer}/${step(name)}`}
        value={value[name]}
        isRequired={schema.required?.includes(name) ?? false}
        onValue={(next) => onValue(given({ ...value, [name]: next }))}
      />
    ));
  return (
    <>
      <Rules schema={schema} value={value} />
      {fieldsOf(first)}
      {rest.length > 0 && (
        <details class="further">
          <summary>
            {rest.length} optional {first.length === 0 ? 'fields' : 'more'}
          </summary>
          <div class="stack">{fieldsOf(rest)}</div>
        </details>
      )}
    </>
  );
}

function Rules({ schema, value }: Pick<ObjectFieldsProps, 'schema' | 'value'>) {
  const rules = rulesOf(schema);
  if (rules.length === 0) return null;
  const now = new Date();
  return (
    <ul class="rules" aria-label="Rules across fields">
      {rules.map(({ sentence, isKept }) => {
        const kept = isKept(given(value), now);
        return (
          <li key={sentence} class={kept ? 'kept' : undefined}>
            {sentence} {!kept && <span class="hidden">Not so yet.</span>}
          </li>
        );
      })}
    </ul>
  );
}

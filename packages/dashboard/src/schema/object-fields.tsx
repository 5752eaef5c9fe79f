import { type JsonObject, type JsonSchema, pathOf, step } from '@svc/catalog/rules';
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { useForm, wrongIn } from './form-scope.ts';
import type { SchemaFieldProps } from './legend.tsx';
import { given, ruledFields, rulesOf } from './rules-of.ts';

interface ObjectFieldsProps {
  readonly schema: JsonSchema;
  readonly pointer: string;
  readonly value: JsonObject;
  readonly onValue: (value: JsonObject) => void;
  /** The field component for each property. */
  readonly Field: ComponentType<SchemaFieldProps>;
}

/** The number of optional fields that are not folded away. */
const FEW = 3;

/** Fields with one possible value are folded away, because hardly anybody needs them. */
const isNoChoice = (schema: JsonSchema | undefined): boolean => schema?.enum?.length === 1;

/** The names of the fields: important ones first, then those that most calls leave out. */
export function sortFields(schema: JsonSchema, value: JsonObject) {
  const { properties = {} } = schema;
  const names = Object.keys(properties);
  const important = new Set([
    ...(schema.required ?? []),
    ...ruledFields(schema),
    ...Object.keys(given(value)),
  ]);
  const others = names.filter((name) => !important.has(name));
  const isFew = others.filter((name) => !isNoChoice(properties[name])).length <= FEW;
  const rest = isFew ? others.filter((name) => isNoChoice(properties[name])) : others;
  return { first: names.filter((name) => !rest.includes(name)), rest };
}

/** The fields of an object and the rules across them. A field keeps its position while the user types. */
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
  const { broken } = useForm();
  const hasWrong = rest.some((name) => wrongIn(broken, pathOf(`${pointer}/${step(name)}`)) !== undefined);
  return (
    <>
      <Rules schema={schema} value={value} />
      {fieldsOf(first)}
      {rest.length > 0 && (
        <details class="further" open={hasWrong || undefined}>
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

import { type JsonObject, type JsonSchema, pathOf, step } from '@svc/catalog/rules';
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { errorIn, useForm } from './form-scope.ts';
import type { SchemaFieldProps } from './legend.tsx';
import { ruledFields, rulesOf, withoutUndefined } from './rules-of.ts';

interface ObjectFieldsProps {
  readonly schema: JsonSchema;
  readonly pointer: string;
  readonly value: JsonObject;
  readonly onValue: (value: JsonObject) => void;
  readonly Field: ComponentType<SchemaFieldProps>;
}

const MAX_VISIBLE_OPTIONAL = 3;

/** Returns true if a field has only one possible value. The form collapses this field, because users rarely need it. */
const hasOneValue = (schema: JsonSchema | undefined): boolean => schema?.enum?.length === 1;

/** Divides the fields of an object into fields that are visible and fields that are collapsed. */
function sortFields(schema: JsonSchema, value: JsonObject) {
  const { properties = {} } = schema;
  const names = Object.keys(properties);
  const important = new Set([
    ...(schema.required ?? []),
    ...ruledFields(schema),
    ...Object.keys(withoutUndefined(value)),
  ]);
  const others = names.filter((name) => !important.has(name));
  const isFew = others.filter((name) => !hasOneValue(properties[name])).length <= MAX_VISIBLE_OPTIONAL;
  const collapsed = isFew ? others.filter((name) => hasOneValue(properties[name])) : others;
  return { visible: names.filter((name) => !collapsed.includes(name)), collapsed };
}

/**
 * Shows the fields of an object, and the rules that involve several fields. The order of the fields does not change
 * while the user types.
 */
export function ObjectFields({ schema, pointer, value, onValue, Field }: ObjectFieldsProps) {
  const [{ visible, collapsed }] = useState(() => sortFields(schema, value));
  const fieldsOf = (names: readonly string[]) =>
    names.map((name) => (
      <Field
        key={name}
        schema={schema.properties?.[name] ?? {}}
        name={name}
        pointer={`${pointer}/${step(name)}`}
        value={value[name]}
        isRequired={schema.required?.includes(name) ?? false}
        onValue={(next) => onValue(withoutUndefined({ ...value, [name]: next }))}
      />
    ));
  const { errors } = useForm();
  const hasError = collapsed.some(
    (name) => errorIn(errors, pathOf(`${pointer}/${step(name)}`)) !== undefined,
  );
  return (
    <>
      <Rules schema={schema} value={value} />
      {fieldsOf(visible)}
      {collapsed.length > 0 && (
        <details class="further" open={hasError || undefined}>
          <summary>
            {collapsed.length} {visible.length === 0 ? '' : 'more '}optional fields
          </summary>
          <div class="stack">{fieldsOf(collapsed)}</div>
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
      {rules.map(({ sentence, isMet }) => {
        const met = isMet(withoutUndefined(value), now);
        return (
          <li key={sentence} class={met ? 'met' : undefined}>
            {sentence} {!met && <span class="hidden">The input does not meet this rule yet.</span>}
          </li>
        );
      })}
    </ul>
  );
}

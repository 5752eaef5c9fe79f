import { type JsonSchema, pathOf } from '@svc/catalog/rules';
import { limitsOf } from './control-of.ts';
import { useForm, wrongAt } from './form-scope.ts';
import { aboutOf } from './rules-of.ts';

/** A field for a value of a schema. */
export interface SchemaFieldProps {
  readonly schema: JsonSchema;
  readonly name: string;
  readonly pointer: string;
  readonly value: unknown;
  readonly onValue: (value: unknown) => void;
  readonly isRequired: boolean;
  /** An item of a list: it exists, and can be removed. */
  readonly isItem?: boolean | undefined;
}

/** The description and the limits of a value. */
export const hintOf = (schema: JsonSchema) => [aboutOf(schema), limitsOf(schema)].filter(Boolean).join(' ');

export const labelOf = ({
  name,
  isRequired,
  isItem,
}: Pick<SchemaFieldProps, 'name' | 'isRequired' | 'isItem'>): string =>
  isRequired && !isItem ? `${name} (required)` : name;

/** The name, the description and the errors of a group of fields. */
export const Legend = ({
  name,
  schema,
  pointer,
  isRequired,
  isItem,
}: Omit<SchemaFieldProps, 'value' | 'onValue'>) => {
  const { broken } = useForm();
  const wrong = wrongAt(broken, pathOf(pointer));
  return (
    <>
      <legend>{labelOf({ name, isRequired, isItem })}</legend>
      {hintOf(schema) && <p class="hint">{hintOf(schema)}</p>}
      {wrong && <p class="wrong">{wrong}</p>}
    </>
  );
};

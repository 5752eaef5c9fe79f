import { type JsonSchema, pathOf } from '@svc/catalog/rules';
import { limitsOf } from './control-of.ts';
import { errorAt, useForm } from './form-scope.ts';
import { descriptionOf } from './rules-of.ts';

export interface SchemaFieldProps {
  readonly schema: JsonSchema;
  readonly name: string;
  readonly pointer: string;
  readonly value: unknown;
  readonly onValue: (value: unknown) => void;
  readonly isRequired: boolean;
  readonly isItem?: boolean | undefined;
}

export const hintOf = (schema: JsonSchema) =>
  [descriptionOf(schema), limitsOf(schema)].filter(Boolean).join(' ');

export const labelOf = (field: Pick<SchemaFieldProps, 'name' | 'isRequired' | 'isItem'>): string =>
  field.isRequired && !field.isItem ? `${field.name} (required)` : field.name;

export const Legend = ({
  name,
  schema,
  pointer,
  isRequired,
  isItem,
}: Omit<SchemaFieldProps, 'value' | 'onValue'>) => {
  const { errors } = useForm();
  const wrong = errorAt(errors, pathOf(pointer));
  return (
    <>
      <legend>{labelOf({ name, isRequired, isItem })}</legend>
      {hintOf(schema) && <p class="hint">{hintOf(schema)}</p>}
      {wrong && <p class="wrong">{wrong}</p>}
    </>
  );
};

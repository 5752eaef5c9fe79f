import { isJsonObject, type JsonObject, type JsonSchema } from '@svc/catalog/rules';
import { useMemo } from 'preact/hooks';
import { Labelled } from '../parts/field.tsx';
import { errorIn, FormContext, type FormScope } from './form-scope.ts';
import { ObjectFields } from './object-fields.tsx';
import { descriptionOf } from './rules-of.ts';
import { SchemaField } from './schema-field.tsx';
import { JsonText } from './value-controls.tsx';

interface SchemaFormProps extends Pick<FormScope, 'errors' | 'onInvalidJson'> {
  readonly schema: JsonSchema;
  readonly value: JsonObject;
  readonly onValue: (value: JsonObject) => void;
  readonly isJson: boolean;
}

export function SchemaForm({ schema, value, onValue, isJson, errors, onInvalidJson }: SchemaFormProps) {
  const scope = useMemo(() => ({ root: schema, errors, onInvalidJson }), [schema, errors, onInvalidJson]);
  const description = descriptionOf(schema);
  return (
    <FormContext.Provider value={scope}>
      {isJson ? (
        <WholeJson value={value} onValue={onValue} errors={errors} />
      ) : (
        <>
          {description && <p class="soft">{description}</p>}
          <ObjectFields schema={schema} pointer="" value={value} onValue={onValue} Field={SchemaField} />
        </>
      )}
    </FormContext.Provider>
  );
}

const WholeJson = ({ value, onValue, errors }: Pick<SchemaFormProps, 'value' | 'onValue' | 'errors'>) => (
  <Labelled label="Input as JSON" wrong={errorIn(errors, '')}>
    {(described) => (
      <JsonText
        value={value}
        onValue={(next) => onValue(isJsonObject(next) ? next : {})}
        pointer=""
        isWhole
        described={described}
      />
    )}
  </Labelled>
);

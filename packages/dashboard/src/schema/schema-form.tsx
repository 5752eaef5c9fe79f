import { type BrokenRule, isJsonObject, type JsonObject, type JsonSchema } from '@svc/catalog/rules';
import { useMemo } from 'preact/hooks';
import { Labelled } from '../parts/field.tsx';
import { FormContext, type FormScope, wrongIn } from './form-scope.ts';
import { ObjectFields } from './object-fields.tsx';
import { aboutOf } from './rules-of.ts';
import { SchemaField } from './schema-field.tsx';
import { JsonText } from './value-controls.tsx';

interface SchemaFormProps extends Pick<FormScope, 'broken' | 'onUnreadable'> {
  readonly schema: JsonSchema;
  readonly value: JsonObject;
  readonly onValue: (value: JsonObject) => void;
  readonly isJson: boolean;
}

/** The fields of an object by its schema, or the object as JSON. */
export function SchemaForm({ schema, value, onValue, isJson, broken, onUnreadable }: SchemaFormProps) {
  const scope = useMemo(() => ({ root: schema, broken, onUnreadable }), [schema, broken, onUnreadable]);
  const about = aboutOf(schema);
  return (
    <FormContext.Provider value={scope}>
      {isJson ? (
        <WholeJson value={value} onValue={onValue} broken={broken} />
      ) : (
        <>
          {about && <p class="soft">{about}</p>}
          <ObjectFields schema={schema} pointer="" value={value} onValue={onValue} Field={SchemaField} />
        </>
      )}
    </FormContext.Provider>
  );
}

interface WholeJsonProps {
  readonly value: JsonObject;
  readonly onValue: (value: JsonObject) => void;
  readonly broken: readonly BrokenRule[];
}

function WholeJson({ value, onValue, broken }: WholeJsonProps) {
  return (
    <Labelled label="Input as JSON" wrong={wrongIn(broken, '')}>
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
}

import { isJsonObject, pathOf, resolved } from '@svc/catalog/rules';
import type { ComponentType } from 'preact';
import { Labelled } from '../parts/field.tsx';
import { type Control, controlOf } from './control-of.ts';
import { errorIn, useForm } from './form-scope.ts';
import { hintOf, Legend, labelOf, type SchemaFieldProps } from './legend.tsx';
import { ListField } from './list-field.tsx';
import { ObjectFields } from './object-fields.tsx';
import {
  ChoiceControl,
  type ControlProps,
  JsonControl,
  MultilineControl,
  NumberControl,
  SecretControl,
  TextControl,
} from './value-controls.tsx';

const CONTROLS: Readonly<Record<Exclude<Control, 'list' | 'fields'>, ComponentType<ControlProps>>> = {
  choice: ChoiceControl,
  flag: ChoiceControl,
  number: NumberControl,
  secret: SecretControl,
  text: TextControl,
  multiline: MultilineControl,
  json: JsonControl,
};

export function SchemaField({ schema, ...props }: SchemaFieldProps) {
  const { root } = useForm();
  const rules = resolved(schema, root);
  const control = controlOf(rules);
  if (control === 'list') return <ListField {...props} schema={rules} Field={SchemaField} />;
  if (control === 'fields') return <NestedFields {...props} schema={rules} />;
  return <ValueField {...props} schema={rules} control={control} />;
}

function ValueField({
  control,
  name,
  ...props
}: SchemaFieldProps & { readonly control: keyof typeof CONTROLS }) {
  const { errors } = useForm();
  const { schema, pointer, isRequired, isItem } = props;
  const ControlOfKind = CONTROLS[control];
  return (
    <Labelled
      label={labelOf({ name, isRequired, isItem })}
      hint={hintOf(schema) || undefined}
      wrong={errorIn(errors, pathOf(pointer))}
    >
      {(described) => <ControlOfKind {...props} described={described} />}
    </Labelled>
  );
}

function NestedFields({ value, onValue, ...props }: SchemaFieldProps) {
  const { schema, name, pointer, isRequired } = props;
  return (
    <fieldset class="field nested">
      <Legend {...props} />
      {isJsonObject(value) ? (
        <ObjectFields schema={schema} pointer={pointer} value={value} onValue={onValue} Field={SchemaField} />
      ) : null}
      <div class="actions">
        {isJsonObject(value) ? (
          !isRequired && (
            <button type="button" class="small" onClick={() => onValue(undefined)}>
              Remove {name}
            </button>
          )
        ) : (
          <button type="button" class="small" onClick={() => onValue({})}>
            Add {name}
          </button>
        )}
      </div>
    </fieldset>
  );
}

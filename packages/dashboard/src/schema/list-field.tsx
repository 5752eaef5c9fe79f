import { isJsonObject, type JsonSchema, resolved, step } from '@svc/catalog/rules';
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { controlOf } from './control-of.ts';
import { useForm } from './form-scope.ts';
import { Legend, type SchemaFieldProps } from './legend.tsx';

const emptyItem = (schema: JsonSchema): unknown => (controlOf(schema) === 'fields' ? {} : null);

function focusLast(list: HTMLElement | null): void {
  const items = list?.querySelectorAll(':scope > .item') ?? [];
  items[items.length - 1]?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
}

interface ListFieldProps extends SchemaFieldProps {
  readonly Field: ComponentType<SchemaFieldProps>;
}

export function ListField({ value, onValue, Field, ...props }: ListFieldProps) {
  const { schema, name, pointer } = props;
  const { root } = useForm();
  const items = Array.isArray(value) ? value : [];
  const itemSchema = isJsonObject(schema.items) ? schema.items : {};
  const list = useRef<HTMLFieldSetElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const count = useRef(items.length);
  useEffect(() => {
    // Moves the focus for keyboard users: to a new item, or to the Add button after an item was removed.
    if (items.length > count.current) focusLast(list.current);
    if (items.length < count.current) add.current?.focus();
    count.current = items.length;
  }, [items.length]);
  const change = (changed: readonly unknown[]) => onValue(changed.length === 0 ? undefined : changed);
  return (
    <fieldset class="field nested" ref={list}>
      <Legend {...props} />
      {items.map((item, index) => (
        <div class="item" key={index}>
          <Field
            schema={itemSchema}
            name={`${name} ${index + 1}`}
            pointer={`${pointer}/${step(index)}`}
            value={item ?? undefined}
            isRequired
            isItem
            onValue={(next) => change(items.with(index, next ?? null))}
          />
          <button type="button" class="small" onClick={() => change(items.toSpliced(index, 1))}>
            Remove <span class="hidden">{`${name} ${index + 1}`}</span>
          </button>
        </div>
      ))}
      <div class="actions">
        <button
          type="button"
          class="small"
          ref={add}
          onClick={() => change([...items, emptyItem(resolved(itemSchema, root))])}
        >
          Add item to {name}
        </button>
      </div>
    </fieldset>
  );
}

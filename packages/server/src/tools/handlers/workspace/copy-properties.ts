import { isJsonObject } from '@svc/catalog';
import type { Json } from '../json.js';

/** Property types whose values the upstream accepts in the same format in which it returns them. */
const SAME_FORM = new Set('title rich_text number date checkbox url email phone_number'.split(' '));

/**
 * Splits the properties of a page into those that a copy of the page can have, and the names of the others. Pages
 * outside a database have only a title.
 */
export function copyProperties(
  { properties }: Json,
  { isRow }: { readonly isRow: boolean },
): { readonly properties: Json; readonly skipped: readonly string[] } {
  const given = Object.entries(isJsonObject(properties) ? properties : {});
  const entries = given
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => {
      const { type } = isJsonObject(value) ? value : {};
      const key = type === 'title' ? 'title' : name;
      return { name, key, written: isRow || key === 'title' ? toWritten(value) : undefined };
    });
  const written = entries.filter((entry) => entry.written !== undefined);
  const skipped = entries.filter((entry) => entry.written === undefined);
  return {
    properties: Object.fromEntries(written.map((entry) => [entry.key, entry.written])),
    skipped: skipped.map(({ name }) => name),
  };
}

const isEmpty = (property: unknown): boolean =>
  isJsonObject(property) && property[String(property['type'])] === null;

function toWritten(property: unknown): Json | undefined {
  if (!isJsonObject(property)) return undefined;
  const type = String(property['type']);
  const value = property[type];
  if (SAME_FORM.has(type)) return { [type]: value };
  if (type === 'select' || type === 'status') return { [type]: pick(value, 'name') };
  if (type === 'multi_select') return { [type]: pickEach(value, 'name') };
  if (type === 'people' || (type === 'relation' && property['has_more'] !== true))
    return { [type]: pickEach(value, 'id') };
  return undefined;
}

const pick = (value: unknown, key: string): Json => (isJsonObject(value) ? { [key]: value[key] } : {});

const pickEach = (values: unknown, key: string): readonly Json[] =>
  Array.isArray(values) ? values.map((value) => pick(value, key)) : [];

import { isObject } from '../../json.js';
import { invalid, notFound } from './api-error.js';
import { withType } from './file-shape.js';
import { PERSON_USERS } from './identity.js';
import { findColumn, newOption } from './property-schema.js';
import { richText, richTextShape } from './rich-text.js';
import {
  anything,
  boolean,
  canonicalId,
  dictionary,
  each,
  isoDate,
  list,
  nullable,
  number,
  object,
  oneOf,
  type Shape,
  tagged,
  text,
  uuid,
} from './shape.js';
import type { Option, PropertyColumn } from './state.js';

const option = object({
  id: text(),
  name: text({ min: 1, max: 100 }),
  ...each('color description', anything),
});
const person = object(
  { id: uuid, object: oneOf('user'), ...each('type name avatar_url person bot', anything) },
  ['id'],
);
const related = object({ id: uuid }, ['id']);
const external = object({ url: text({ min: 1, max: 2000 }) }, ['url']);
const file = tagged({ external, file: anything }, { name: text({ max: 100 }) });

const VALUES: Readonly<Record<string, Shape>> = {
  ...each('title rich_text', richTextShape),
  number: nullable(number()),
  select: nullable(option),
  multi_select: list(option, { max: 100 }),
  status: nullable(option),
  date: nullable(object({ start: isoDate, end: nullable(isoDate), time_zone: nullable(text()) }, ['start'])),
  checkbox: boolean,
  url: nullable(text({ min: 1, max: 2000 })),
  ...each('email phone_number', nullable(text({ min: 1, max: 200 }))),
  people: list(person, { max: 100 }),
  relation: list(related, { max: 100 }),
  files: list(file, { max: 100 }),
};

// Validates a property value. Title and rich text may also be a plain list without the type wrapper.
const value: Shape = (entry, path) =>
  Array.isArray(entry)
    ? richTextShape(entry, path)
    : tagged(VALUES, { id: text(), name: anything, has_more: anything })(entry, path);

export const valuesShape: Shape = dictionary(value);

interface Lookup {
  pageExists(id: string): boolean;
}

interface Reading extends Lookup {
  readonly added: Map<PropertyColumn, Option[]>;
}

export function readValues(
  columns: readonly PropertyColumn[],
  properties: Readonly<Record<string, unknown>>,
  lookup: Lookup,
): Map<string, unknown> {
  const stored = new Map<string, unknown>();
  const reading: Reading = { ...lookup, added: new Map() };
  for (const [key, given] of Object.entries(properties)) {
    const column = findColumn(columns, key);
    if (column === undefined) throw invalid(`${key} is not a property that exists.`);
    const inner = innerValue(column, given);
    stored.set(column.id, readValue(column, inner, reading));
  }
  for (const [column, options] of reading.added) column.options.push(...options);
  return stored;
}

function innerValue(column: PropertyColumn, given: unknown): unknown {
  if (Array.isArray(given) && (column.type === 'title' || column.type === 'rich_text')) return given;
  if (isObject(given) && given[column.type] !== undefined) return given[column.type];
  throw invalid(`${column.name} is expected to be ${column.type}.`);
}

function readValue(column: PropertyColumn, inner: unknown, reading: Reading): unknown {
  switch (column.type) {
    case 'title':
    case 'rich_text':
      return richText(inner);
    case 'select':
    case 'status':
      return inner === null ? null : optionId(column, inner, reading);
    case 'multi_select':
      return entries(inner).map((entry) => optionId(column, entry, reading));
    case 'date':
      return isObject(inner)
        ? { start: inner.start, end: inner.end ?? null, time_zone: inner.time_zone ?? null }
        : null;
    case 'people':
      return entries(inner).map(({ id }) => knownPerson(String(id)));
    case 'relation':
      return entries(inner).map(({ id }) => knownPage(String(id), reading));
    case 'files':
      return entries(inner).map((entry) => ({ name: entry.name, ...withType(entry) }));
    default:
      return inner;
  }
}

function entries(inner: unknown): Record<string, unknown>[] {
  return Array.isArray(inner) ? inner.filter(isObject) : [];
}

// Returns the id of an option. Unknown options are added to a select property, but rejected for a status property.
function optionId(column: PropertyColumn, given: unknown, { added }: Reading): string {
  const { id, name } = isObject(given) ? given : {};
  const fresh = added.get(column) ?? [];
  const known = [...column.options, ...fresh].find((option) => option.id === id || option.name === name);
  if (known !== undefined) return known.id;
  if (column.type === 'status')
    throw invalid(`Invalid status option. Status option "${name ?? id}" does not exist".`);
  if (typeof name !== 'string') throw invalid(`${column.name} has no option with ID: ${id}.`);
  if (name.includes(',')) throw invalid(`Invalid select option, commas not allowed: ${name}`);
  const option = newOption(name);
  added.set(column, [...fresh, option]);
  return option.id;
}

function knownPerson(id: string): string {
  const wanted = canonicalId(id);
  if (!PERSON_USERS.some((user) => user.id === wanted)) throw notFound('user', wanted);
  return wanted;
}

function knownPage(id: string, lookup: Lookup): string {
  const wanted = canonicalId(id);
  if (!lookup.pageExists(wanted)) throw notFound('page', wanted);
  return wanted;
}

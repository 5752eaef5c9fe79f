import { randomBytes, randomUUID } from 'node:crypto';
import { isObject } from '../../json.js';
import { ApiError, invalid, notFound } from './api-error.js';
import { OPTION_COLORS } from './rich-text.js';
import {
  anything,
  canonicalId,
  dictionary,
  each,
  list,
  nullable,
  object,
  oneOf,
  type Shape,
  should,
  tagged,
  text,
  uuid,
} from './shape.js';
import type { DataSourceRecord, Option, PropertyColumn, WorkspaceState } from './state.js';

const option = object({
  id: text(),
  name: text({ min: 1, max: 100 }),
  color: oneOf(...OPTION_COLORS),
  description: anything,
});
const nothing = object({});
const relation = object({
  database_id: uuid,
  data_source_id: uuid,
  type: oneOf('single_property', 'dual_property'),
  single_property: nothing,
  dual_property: anything,
});

/** Property types of the real service that the sandbox does not emulate. */
const NOT_EMULATED = 'formula rollup button place location verification last_visited_time';

const CONFIGS: Readonly<Record<string, Shape>> = {
  ...each('title rich_text', nothing),
  number: object({ format: text({ min: 1 }) }),
  ...each('select multi_select status', object({ options: list(option, { max: 100 }) })),
  ...each('date people files checkbox url email phone_number', nothing),
  relation,
  ...each('created_time created_by last_edited_time last_edited_by', nothing),
  unique_id: object({ prefix: nullable(text()) }),
  ...each(NOT_EMULATED, anything),
};

const shared = { id: text(), name: text({ min: 1 }), description: nullable(text({ max: 280 })) };

export const schemaShape: Shape = dictionary(tagged(CONFIGS, shared));

/** Validates a schema update. An update removes a property with null, renames it, or changes its type. */
export const schemaUpdateShape: Shape = dictionary(
  nullable((value, path) => {
    if (!isObject(value)) return should(path, 'an object', value);
    const isRename = !Object.keys(value).some((key) => Object.hasOwn(CONFIGS, key));
    return isRename ? object({ ...shared, type: text() })(value, path) : tagged(CONFIGS, shared)(value, path);
  }),
);

const STATUS_OPTIONS: readonly (readonly [name: string, color: string])[] = [
  ['Not started', 'default'],
  ['In progress', 'blue'],
  ['Done', 'green'],
];

function isType(key: string): boolean {
  return Object.hasOwn(CONFIGS, key);
}

export function newColumn(name: string, value: unknown, id?: string): PropertyColumn {
  const entry = isObject(value) ? value : {};
  const type = Object.keys(entry).find(isType) ?? 'rich_text';
  if (NOT_EMULATED.split(' ').includes(type))
    throw new ApiError(501, 'not_implemented', `The sandbox does not emulate columns of type ${type}.`);
  const config = isObject(entry[type]) ? entry[type] : {};
  const requested = Array.isArray(config.options) ? config.options.filter(isObject) : [];
  const options = requested.map(({ name: label, color }) =>
    newOption(String(label), String(color ?? 'default')),
  );
  const usesDefaults = type === 'status' && options.length === 0;
  return {
    id: type === 'title' ? 'title' : (id ?? randomBytes(3).toString('base64url')),
    name: typeof entry.name === 'string' ? entry.name : name,
    type,
    description: typeof entry.description === 'string' ? entry.description : null,
    options: usesDefaults ? STATUS_OPTIONS.map(([label, color]) => newOption(label, color)) : options,
    config: ownConfig(type, config),
  };
}

export function newOption(name: string, color = 'default'): Option {
  return { id: randomUUID(), name, color };
}

function ownConfig(type: string, config: Record<string, unknown>): Record<string, unknown> {
  if (type === 'number') return { format: config.format ?? 'number' };
  if (type === 'unique_id') return { prefix: config.prefix ?? null };
  if (type !== 'relation') return {};
  const { database_id, data_source_id, dual_property: dual } = config;
  return { database_id, data_source_id, ...(isObject(dual) ? { dual_property: dual } : {}) };
}

export function newColumns(schema: Readonly<Record<string, unknown>>): PropertyColumn[] {
  const columns = Object.entries(schema).map(([name, value]) => newColumn(name, value));
  const titles = columns.filter(({ type }) => type === 'title').length;
  if (titles === 0) throw invalid('Title is not provided');
  if (titles > 1) throw invalid('Only one title property is allowed');
  return columns;
}

/** Finds a property by name or by id. The id may be URL-encoded or not. */
export function findColumn(columns: readonly PropertyColumn[], key: string): PropertyColumn | undefined {
  return (
    columns.find(({ name }) => name === key) ??
    columns.find(({ id }) => id === key || encodeURIComponent(id) === key)
  );
}

export function updateColumns(
  columns: readonly PropertyColumn[],
  changes: Readonly<Record<string, unknown>>,
): PropertyColumn[] {
  let updated = [...columns];
  for (const [key, change] of Object.entries(changes)) {
    const known = findColumn(updated, key);
    if (known === undefined) updated.push(addedColumn(key, change));
    else if (change === null) updated = dropColumn(updated, known);
    else updated = updated.map((column) => (column === known ? changedColumn(known, change) : column));
  }
  return updated;
}

function addedColumn(key: string, change: unknown): PropertyColumn {
  if (!isObject(change) || !Object.keys(change).some(isType))
    throw invalid(`${key} is not a property that exists.`);
  if (change.title !== undefined) throw invalid('Cannot create new title property.');
  return newColumn(key, change);
}

function dropColumn(columns: readonly PropertyColumn[], column: PropertyColumn): PropertyColumn[] {
  if (column.type === 'title') throw invalid('Cannot delete the title property.');
  return columns.filter((other) => other !== column);
}

function changedColumn(known: PropertyColumn, change: unknown): PropertyColumn {
  const entry = isObject(change) ? change : {};
  const name = typeof entry.name === 'string' ? entry.name : known.name;
  const type = Object.keys(entry).find(isType);
  if (type === undefined) return { ...known, name };
  if ((type === 'title') !== (known.type === 'title'))
    throw invalid(`The type of ${known.name} cannot be changed to ${type}.`);
  const fresh = { ...newColumn(name, change, known.id), name };
  if (type !== known.type) return fresh;
  // Existing options keep their ids and colors.
  const added = fresh.options.filter(
    ({ name: label }) => !known.options.some((option) => option.name === label),
  );
  return { ...fresh, options: [...known.options, ...(known.type === 'status' ? [] : added)] };
}

export function relatedSource(
  state: WorkspaceState,
  { data_source_id, database_id }: Readonly<Record<string, unknown>>,
): DataSourceRecord | undefined {
  const id =
    typeof data_source_id === 'string'
      ? canonicalId(data_source_id)
      : state.databases.get(canonicalId(String(database_id)))?.dataSourceIds[0];
  return state.dataSources.get(id ?? '');
}

/**
 * Sets the properties of a data source. A new two-way relation also adds a property to the related data source. Rejects
 * relations to an unknown data source first.
 */
export function setColumns(
  source: DataSourceRecord,
  columns: readonly PropertyColumn[],
  state: WorkspaceState,
): void {
  for (const { type, config } of columns)
    if (type === 'relation' && relatedSource(state, config) === undefined)
      throw notFound('data_source', String(config.data_source_id ?? config.database_id));
  source.columns = columns.map((column) => {
    const target = column.type === 'relation' ? relatedSource(state, column.config) : undefined;
    if (target === undefined) return column;
    const { dual_property: dual } = column.config;
    if (!isObject(dual) || dual.synced_property_id !== undefined) return column;
    const name = String(dual.synced_property_name ?? `Related to ${column.name}`);
    const twin = newColumn(name, {
      relation: {
        data_source_id: source.id,
        dual_property: { synced_property_id: column.id, synced_property_name: column.name },
      },
    });
    target.columns.push(twin);
    const synced = { synced_property_id: twin.id, synced_property_name: twin.name };
    return { ...column, config: { ...column.config, dual_property: synced } };
  });
}

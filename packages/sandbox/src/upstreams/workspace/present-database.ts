import { isObject } from '../../json.js';
import { address, presentParent, presentStamp, presentTrash, type View } from './present.js';
import { relatedSource } from './property-schema.js';
import { plainText } from './rich-text.js';
import type { DatabaseRecord, DataSourceRecord, PropertyColumn } from './state.js';

export function presentDatabase(database: DatabaseRecord, view: View) {
  const { state, version } = view;
  const sources = database.dataSourceIds.flatMap((id) => state.dataSources.get(id) ?? []);
  const { created_by, last_edited_by, ...times } = presentStamp(database);
  const schema = version.hasDataSources
    ? {
        data_sources: sources.map(({ id, title }) => ({ id, name: plainText(title) })),
        is_locked: database.isLocked ?? false,
      }
    : { created_by, last_edited_by, properties: presentColumns(sources[0], view) };
  return {
    object: 'database',
    id: database.id,
    cover: database.cover,
    icon: database.icon,
    ...times,
    ...schema,
    title: database.title,
    description: database.description,
    is_inline: database.isInline,
    parent: presentParent(database.parent),
    url: address(database.id, plainText(database.title)),
    public_url: null,
    ...presentTrash(database, version),
  };
}

export function presentDataSource(source: DataSourceRecord, view: View) {
  const database = view.state.databases.get(source.databaseId);
  return {
    object: 'data_source',
    id: source.id,
    cover: database?.cover ?? null,
    icon: source.icon,
    ...presentStamp(source),
    title: source.title,
    description: database?.description ?? [],
    is_inline: database?.isInline ?? false,
    properties: presentColumns(source, view),
    parent: { type: 'database_id', database_id: source.databaseId },
    database_parent: database === undefined ? null : presentParent(database.parent),
    url: address(source.id, plainText(source.title)),
    public_url: null,
    ...presentTrash(source, view.version),
  };
}

function presentColumns(source: DataSourceRecord | undefined, view: View) {
  return Object.fromEntries(
    (source?.columns ?? []).map((column) => [column.name, presentColumn(column, view)]),
  );
}

function presentColumn(column: PropertyColumn, view: View) {
  const { id, name, type, description } = column;
  return {
    id: encodeURIComponent(id),
    name,
    type,
    description,
    [type]: presentConfig(column, view),
  };
}

function presentConfig({ type, options, config }: PropertyColumn, { version, state }: View): unknown {
  if (type === 'select' || type === 'multi_select')
    return { options: options.map((option) => ({ ...option, description: null })) };
  if (type === 'status')
    return {
      options: options.map((option) => ({ ...option, description: null })),
      groups: statusGroups(options),
    };
  if (type !== 'relation') return config;
  const related = relatedSource(state, config);
  const database_id = related?.databaseId;
  const target = version.hasDataSources ? { database_id, data_source_id: related?.id } : { database_id };
  if (!isObject(config.dual_property)) return { ...target, type: 'single_property', single_property: {} };
  return { ...target, type: 'dual_property', dual_property: config.dual_property };
}

function statusGroups(options: PropertyColumn['options']) {
  const [first, ...rest] = options.map(({ id }) => id);
  const last = rest.pop();
  const group = (name: string, color: string, ids: readonly (string | undefined)[]) => ({
    id: `group-${name.toLowerCase().replace(' ', '-')}`,
    name,
    color,
    option_ids: ids.filter((id) => id !== undefined),
  });
  return [
    group('To-do', 'gray', [first]),
    group('In progress', 'blue', rest),
    group('Complete', 'green', [last]),
  ];
}

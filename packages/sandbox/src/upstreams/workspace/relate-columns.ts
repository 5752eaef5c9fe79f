import { isObject } from '../../json.js';
import { notFound } from './api-error.js';
import { newColumn, type PropertyColumn } from './property-schema.js';
import { canonicalId } from './shape.js';
import type { DataSourceRecord, WorkspaceState } from './state.js';

/** The data source that a relation leads to, by its own id or by that of its database. */
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

/** Gives a data source its columns, and each new relation that goes both ways its column on the other side; one that leads nowhere is refused before. */
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

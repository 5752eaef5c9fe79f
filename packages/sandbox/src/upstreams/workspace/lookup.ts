import { existing } from '../../refusal.js';
import { ApiError, notFound } from './api-error.js';
import type {
  BlockRecord,
  DatabaseRecord,
  DataSourceRecord,
  PageRecord,
  ViewRecord,
  WorkspaceState,
} from './state.js';

export const pageById = ({ pages }: WorkspaceState, id: string): PageRecord =>
  existing(pages.get(id), () => notFound('page', id));

export const databaseById = ({ databases }: WorkspaceState, id: string): DatabaseRecord =>
  existing(databases.get(id), () => notFound('database', id));

export const dataSourceById = ({ dataSources }: WorkspaceState, id: string): DataSourceRecord =>
  existing(dataSources.get(id), () => notFound('data_source', id));

export const viewById = ({ views }: WorkspaceState, id: string): ViewRecord =>
  existing(views.get(id), () => notFound('view', id));

/** Returns the only data source of a database. API versions without data sources reject a database with several. */
export function onlyDataSource(state: WorkspaceState, database: DatabaseRecord): DataSourceRecord {
  const [first, ...others] = database.dataSourceIds;
  if (first !== undefined && others.length === 0) return dataSourceById(state, first);
  throw new ApiError(
    400,
    'validation_error',
    'Databases with multiple data sources are not supported in this API version.',
    {
      error_type: 'multiple_data_sources_for_database',
      database_id: database.id,
      child_data_source_ids: database.dataSourceIds,
      minimum_api_version: '2025-09-03',
    },
  );
}

export type BlockLike =
  | { readonly kind: 'block'; readonly record: BlockRecord }
  | { readonly kind: 'page'; readonly record: PageRecord }
  | { readonly kind: 'database'; readonly record: DatabaseRecord };

/** Finds a block, page or database by id. Pages and databases are also blocks of their parent. */
export function blockById(state: WorkspaceState, id: string): BlockLike {
  const block = state.blocks.get(id);
  if (block !== undefined) return { kind: 'block', record: block };
  const page = state.pages.get(id);
  if (page !== undefined) return { kind: 'page', record: page };
  const database = state.databases.get(id);
  if (database !== undefined) return { kind: 'database', record: database };
  throw notFound('block', id);
}

export function containerById(state: WorkspaceState, id: string): BlockRecord | PageRecord {
  const { kind, record } = blockById(state, id);
  if (kind === 'database') throw notFound('block', id);
  return record;
}

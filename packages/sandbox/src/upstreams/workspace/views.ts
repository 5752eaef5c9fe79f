import { randomUUID } from 'node:crypto';
import { isObject } from '../../json.js';
import { ApiError, invalid, notFound } from './api-error.js';
import type { Call, Endpoints, Version } from './call.js';
import { databaseById, dataSourceById, viewById } from './lookup.js';
import { listPage, pagingShapes, readPaging, readQuery } from './paging.js';
import { presentStamp } from './present.js';
import { findRowIds } from './query.js';
import { anything, canonicalId, each, nullable, number, oneOf, text, uuid } from './shape.js';
import type { Content, DataSourceRecord, ViewRecord } from './state.js';

const served = (version: Version): boolean => version.hasDataSources;
const TYPES = 'table board list calendar timeline gallery form chart map dashboard'.split(' ');

const changeable = {
  name: text({ min: 1 }),
  ...each('filter sorts quick_filters configuration', nullable(anything)),
};

export function addViews(endpoints: Endpoints): void {
  endpoints.add('POST', '/views', createView, served);
  endpoints.add('GET', '/views', listViews, served);
  endpoints.add('GET', '/views/:view_id', (call) => present(viewOf(call)), served);
  endpoints.add('PATCH', '/views/:view_id', updateView, served);
  endpoints.add('DELETE', '/views/:view_id', deleteView, served);
  endpoints.add('POST', '/views/:view_id/queries', createQuery, served);
  endpoints.add('GET', '/views/:view_id/queries/:query_id', queryResults, served);
  endpoints.add('DELETE', '/views/:view_id/queries/:query_id', deleteQuery, served);
}

const targets = { database_id: uuid, view_id: uuid, create_database: anything };

/**
 * Returns the database of a new view. The request names it directly, or through a dashboard that will contain the view.
 */
function databaseFor({ state, body }: Call, source: DataSourceRecord): string {
  const [target, ...others] = Object.keys(targets).filter((name) => body[name] !== undefined);
  if (target === undefined || others.length > 0)
    throw invalid(
      'body failed validation: exactly one of body.database_id, body.view_id and body.create_database should be defined.',
    );
  if (target === 'create_database')
    throw new ApiError(501, 'not_implemented', 'The sandbox makes no linked databases for views.');
  if (target === 'view_id') {
    const view = viewById(state, canonicalId(String(body.view_id)));
    if (view.type !== 'dashboard') throw invalid('Only a view of type `dashboard` contains other views.');
    return view.databaseId;
  }
  const database = databaseById(state, canonicalId(String(body.database_id)));
  if (!database.dataSourceIds.includes(source.id))
    throw invalid('The data source does not belong to the database.');
  return database.id;
}

function createView(call: Call): unknown {
  call.checkBody(
    {
      ...changeable,
      ...targets,
      data_source_id: uuid,
      type: oneOf(...TYPES),
      position: anything,
      placement: anything,
    },
    ['data_source_id', 'name', 'type'],
  );
  const { state, body } = call;
  const source = dataSourceById(state, canonicalId(String(body.data_source_id)));
  const view: ViewRecord = {
    ...state.stamp(call.bot),
    databaseId: databaseFor(call, source),
    dataSourceId: source.id,
    type: String(body.type),
    settings: settingsOf(body),
    queries: new Map(),
  };
  rowsOf(call, view);
  state.views.set(view.id, view);
  return present(view);
}

const settingsOf = (body: Readonly<Record<string, unknown>>): Content =>
  Object.fromEntries(
    Object.keys(changeable).flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]]])),
  );

function updateView(call: Call): unknown {
  call.checkBody(changeable);
  const view = viewOf(call);
  const settings = { ...view.settings, ...settingsOf(call.body) };
  rowsOf(call, { ...view, settings });
  view.settings = settings;
  call.state.touch(view, call.bot);
  return present(view);
}

function deleteView(call: Call): unknown {
  const view = viewOf(call);
  call.state.views.delete(view.id);
  const { object: kind, id, parent, type } = present(view);
  return { object: kind, id, parent, type };
}

function listViews(call: Call): unknown {
  const paging = readQuery(call, { ...pagingShapes, database_id: uuid, data_source_id: uuid });
  const { database_id: database, data_source_id: source } = paging;
  if ((database === undefined) === (source === undefined))
    throw invalid(
      'query failed validation: exactly one of database_id and data_source_id should be defined.',
    );
  const wanted = canonicalId(String(database ?? source));
  const views = [...call.state.views.values()].filter(
    ({ databaseId, dataSourceId }) => databaseId === wanted || dataSourceId === wanted,
  );
  return listPage(call, views, {
    type: 'view',
    paging,
    idOf: ({ id }) => id,
    present: ({ id }) => ({ object: 'view', id }),
  });
}

function present(view: ViewRecord) {
  const { id, databaseId, dataSourceId, type, settings } = view;
  const { name, filter = null, sorts = null, quick_filters = null, configuration = null } = settings;
  return {
    object: 'view',
    id,
    parent: { type: 'database_id', database_id: databaseId },
    name,
    type,
    ...presentStamp(view),
    url: `https://www.notion.so/${databaseId.replaceAll('-', '')}?v=${id.replaceAll('-', '')}`,
    data_source_id: dataSourceId,
    filter,
    sorts,
    quick_filters,
    configuration,
  };
}

const QUERY_MS = 15 * 60_000;

const viewOf = ({ state, id }: Call): ViewRecord => viewById(state, id('view_id'));

const rowsOf = (call: Call, { dataSourceId, settings }: Pick<ViewRecord, 'dataSourceId' | 'settings'>) =>
  findRowIds(call, dataSourceById(call.state, dataSourceId), {
    ...(isObject(settings.filter) ? { filter: settings.filter } : {}),
    ...(Array.isArray(settings.sorts) ? { sorts: settings.sorts } : {}),
  });

function createQuery(call: Call): unknown {
  call.checkBody({ page_size: number({ min: 1, max: 100, integer: true }) });
  const view = viewOf(call);
  const rows = rowsOf(call, view);
  const id = randomUUID();
  view.queries.set(id, { rows, expiresAt: call.now + QUERY_MS });
  const { results, next_cursor, has_more } = listPage(call, rows, {
    ...ROW_LIST,
    paging: { page_size: call.body.page_size },
  });
  return {
    object: 'view_query',
    id,
    view_id: view.id,
    expires_at: new Date(call.now + QUERY_MS).toISOString(),
    total_count: rows.length,
    results,
    next_cursor,
    has_more,
    request_id: call.requestId,
  };
}

const ROW_LIST = {
  type: 'page',
  idOf: (id: string) => id,
  present: (id: string) => ({ object: 'page', id }),
};

function queryOf(call: Call) {
  const query = viewOf(call).queries.get(call.id('query_id'));
  if (query === undefined || query.expiresAt <= call.now) throw notFound('view_query', call.id('query_id'));
  return query;
}

function queryResults(call: Call): unknown {
  return listPage(call, queryOf(call).rows, { ...ROW_LIST, paging: readPaging(call) });
}

function deleteQuery(call: Call): unknown {
  queryOf(call);
  viewOf(call).queries.delete(call.id('query_id'));
  return { object: 'view_query', id: call.id('query_id'), deleted: true };
}

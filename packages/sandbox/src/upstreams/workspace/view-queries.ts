import { randomUUID } from 'node:crypto';
import { isObject } from '../../json.js';
import { notFound } from './api-error.js';
import type { Call } from './call.js';
import { dataSourceById } from './lookup.js';
import { listPage } from './paging.js';
import { findRowIds } from './query.js';
import { readPaging } from './query-parameters.js';
import { number } from './shape.js';
import type { ViewRecord } from './state.js';

const QUERY_MS = 15 * 60_000;

export function viewOf({ state, id }: Call): ViewRecord {
  const view = state.views.get(id('view_id'));
  if (view === undefined) throw notFound('view', id('view_id'));
  return view;
}

export const rowsOf = (
  call: Call,
  { dataSourceId, settings }: Pick<ViewRecord, 'dataSourceId' | 'settings'>,
) =>
  findRowIds(call, dataSourceById(call.state, dataSourceId), {
    ...(isObject(settings.filter) ? { filter: settings.filter } : {}),
    ...(Array.isArray(settings.sorts) ? { sorts: settings.sorts } : {}),
  });

export function createQuery(call: Call): unknown {
  call.checkBody({ page_size: number({ min: 1, max: 100, integer: true }) });
  const view = viewOf(call);
  const rows = rowsOf(call, view);
  const id = randomUUID();
  view.queries.set(id, { rows, expiresAt: call.now + QUERY_MS });
  const { results, next_cursor, has_more } = listPage(rows, {
    ...rowList(call),
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

const rowList = ({ requestId }: Call) => ({
  type: 'page',
  requestId,
  idOf: (id: string) => id,
  present: (id: string) => ({ object: 'page', id }),
});

function queryOf(call: Call) {
  const query = viewOf(call).queries.get(call.id('query_id'));
  if (query === undefined || query.expiresAt <= call.now) throw notFound('view_query', call.id('query_id'));
  return query;
}

export function queryResults(call: Call): unknown {
  return listPage(queryOf(call).rows, { ...rowList(call), paging: readPaging(call) });
}

export function deleteQuery(call: Call): unknown {
  queryOf(call);
  viewOf(call).queries.delete(call.id('query_id'));
  return { object: 'view_query', id: call.id('query_id'), deleted: true };
}

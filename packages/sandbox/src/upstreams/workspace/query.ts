import { isObject } from '../../json.js';
import { invalid } from './api-error.js';
import type { Call } from './call.js';
import { buildFilter, type Comparable, comparable, filterShape, sortsShape } from './filter.js';
import { rowsOf } from './pages.js';
import { bodyPaging, listPage, requestedColumns } from './paging.js';
import { presentPage } from './present-page.js';
import { findColumn } from './property-schema.js';
import { failureMessage, object, oneOf, type Shape } from './shape.js';
import type { DataSourceRecord, PageRecord, PropertyColumn } from './state.js';
import { requestedTrash, trashShapes } from './trash.js';

const sourceOnly: Record<string, Shape> = { result_type: oneOf('page', 'data_source') };

/** Queries the rows of a data source: filters and sorts them, and returns one page with the selected properties. */
export function queryRows(call: Call, source: DataSourceRecord): unknown {
  const { body, version, state } = call;
  const extra = { ...trashShapes(version), ...(version.hasDataSources ? sourceOnly : {}) };
  call.checkBody({ filter: filterShape, sorts: sortsShape, ...bodyPaging(version), ...extra });
  const matches = buildFilter(body.filter, source.columns, call);
  const compare = buildOrder(body.sorts, source.columns);
  const rows = rowsOf(state, source.id, requestedTrash(call)).filter(matches).sort(compare);
  const only = requestedColumns(call);
  return listPage(call, rows, {
    type: version.hasDataSources ? 'page_or_data_source' : 'page_or_database',
    paging: body,
    idOf: ({ id }) => id,
    present: (page) => presentPage(page, call, only),
  });
}

export function findRowIds(
  call: Call,
  source: DataSourceRecord,
  view: { readonly filter?: unknown; readonly sorts?: unknown },
): string[] {
  const problems = object({ filter: filterShape, sorts: sortsShape })(view, 'body');
  if (problems.length > 0) throw invalid(failureMessage('body', problems));
  const matches = buildFilter(view.filter, source.columns, call);
  return rowsOf(call.state, source.id)
    .filter(matches)
    .sort(buildOrder(view.sorts, source.columns))
    .map(({ id }) => id);
}

type RowOrder = (a: PageRecord, b: PageRecord) => number;

function buildOrder(sorts: unknown, columns: readonly PropertyColumn[]): RowOrder {
  const orders = (Array.isArray(sorts) ? sorts.filter(isObject) : []).map((sort) => buildSort(sort, columns));
  return (a, b) => {
    for (const order of orders) {
      const difference = order(a, b);
      if (difference !== 0) return difference;
    }
    return b.order - a.order;
  };
}

function buildSort(sort: Record<string, unknown>, columns: readonly PropertyColumn[]): RowOrder {
  const sign = sort.direction === 'descending' ? -1 : 1;
  if (sort.timestamp === 'created_time')
    return (a, b) => sign * (a.createdTime - b.createdTime || a.order - b.order);
  if (sort.timestamp === 'last_edited_time') return (a, b) => sign * (a.lastEditedTime - b.lastEditedTime);
  const column = findColumn(columns, String(sort.property));
  if (column === undefined) throw invalid(`Could not find sort property with name or id: ${sort.property}`);
  return (a, b) => compareCells(sortKey(column, a), sortKey(column, b), sign);
}

// Select and status options sort in the order of the property's option list, not by name.
function sortKey(column: PropertyColumn, page: PageRecord): Comparable {
  const value = comparable(column, page);
  if (column.type !== 'select' && column.type !== 'status') return value;
  const index = column.options.findIndex(({ name }) => name === value);
  return index === -1 ? undefined : index;
}

// Empty cells come last in both sort directions.
function compareCells(a: Comparable, b: Comparable, sign: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  return sign * String(a).localeCompare(String(b));
}

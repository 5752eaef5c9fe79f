import { isObject } from '../../json.js';
import type { Call, Endpoints } from './call.js';
import { listPage, pagingShapes } from './paging.js';
import { presentDatabase, presentDataSource } from './present-database.js';
import { presentPage } from './present-page.js';
import { plainText } from './rich-text.js';
import { object, oneOf, text } from './shape.js';
import type { DatabaseRecord, DataSourceRecord, PageRecord } from './state.js';
import { titleOf } from './titles.js';

type Found =
  | { readonly kind: 'page'; readonly record: PageRecord }
  | { readonly kind: 'database'; readonly record: DatabaseRecord }
  | { readonly kind: 'data_source'; readonly record: DataSourceRecord };

export function addSearch(endpoints: Endpoints): void {
  endpoints.add('POST', '/search', search);
}

function search(call: Call): unknown {
  const container = call.version.hasDataSources ? 'data_source' : 'database';
  call.checkBody({
    ...pagingShapes,
    query: text(),
    filter: object({ property: oneOf('object'), value: oneOf('page', container) }, ['property', 'value']),
    sort: object({ direction: oneOf('ascending', 'descending'), timestamp: oneOf('last_edited_time') }, [
      'direction',
      'timestamp',
    ]),
  });
  const { body } = call;
  const wanted = isObject(body.filter) ? body.filter.value : undefined;
  const words = String(body.query ?? '')
    .trim()
    .toLowerCase();
  const indexed = call.now - call.searchLagMs;
  const found = everything(call)
    .filter(({ record }) => call.searchLagMs === 0 || record.createdTime <= indexed)
    .filter((item) => !item.record.inTrash && (wanted === undefined || item.kind === wanted))
    .filter((item) => titleOfFound(item).toLowerCase().includes(words));
  const direction = isObject(body.sort) && body.sort.direction === 'ascending' ? 1 : -1;
  found.sort(
    (a, b) =>
      direction * (a.record.lastEditedTime - b.record.lastEditedTime || a.record.order - b.record.order),
  );
  return listPage(found, {
    type: call.version.hasDataSources ? 'page_or_data_source' : 'page_or_database',
    paging: body,
    requestId: call.requestId,
    idOf: ({ record }) => record.id,
    present: (item) => presentFound(item, call),
  });
}

// Without data sources in the version, a database that has several cannot be found.
function everything({ state, version }: Call): Found[] {
  const pages = [...state.pages.values()].map((record): Found => ({ kind: 'page', record }));
  const containers = version.hasDataSources
    ? [...state.dataSources.values()].map((record): Found => ({ kind: 'data_source', record }))
    : [...state.databases.values()]
        .filter(({ dataSourceIds }) => dataSourceIds.length === 1)
        .map((record): Found => ({ kind: 'database', record }));
  return [...pages, ...containers];
}

function titleOfFound(found: Found): string {
  return found.kind === 'page' ? titleOf(found.record) : plainText(found.record.title);
}

function presentFound(found: Found, call: Call): unknown {
  if (found.kind === 'page') return presentPage(found.record, call);
  return found.kind === 'database'
    ? presentDatabase(found.record, call)
    : presentDataSource(found.record, call);
}

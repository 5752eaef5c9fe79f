import { isObject } from '../../json.js';
import type { Call, Endpoints, Version } from './call.js';
import { bodyPaging, listPage } from './paging.js';
import { titleOf } from './present.js';
import { presentDatabase, presentDataSource } from './present-database.js';
import { presentPage } from './present-page.js';
import { plainText } from './rich-text.js';
import { boolean, object, oneOf, type Shape, text } from './shape.js';
import type { DatabaseRecord, DataSourceRecord, PageRecord } from './state.js';

type SearchResult =
  | { readonly kind: 'page'; readonly record: PageRecord }
  | { readonly kind: 'database'; readonly record: DatabaseRecord }
  | { readonly kind: 'data_source'; readonly record: DataSourceRecord };

export function addSearch(endpoints: Endpoints): void {
  endpoints.add('POST', '/search', search);
}

const edited = object({ direction: oneOf('ascending', 'descending'), timestamp: oneOf('last_edited_time') }, [
  'direction',
  'timestamp',
]);
const relevant = object({ property: oneOf('relevance') }, ['property']);

/** Search body by API version. Only versions with data sources sort by relevance and search the trash. */
function shapesOf({ hasDataSources }: Version): Record<string, Shape> {
  const container = hasDataSources ? 'data_source' : 'database';
  const kind = { property: oneOf('object'), value: oneOf('page', container) };
  if (!hasDataSources) return { filter: object(kind, ['property', 'value']), sort: edited };
  const filter: Shape = (value, path) => {
    const isTrashAlone = isObject(value) && value.in_trash !== undefined && value.property === undefined;
    return isTrashAlone
      ? object({ in_trash: boolean })(value, path)
      : object({ ...kind, in_trash: boolean }, ['property', 'value'])(value, path);
  };
  const sort: Shape = (value, path) =>
    (isObject(value) && value.property !== undefined ? relevant : edited)(value, path);
  return { filter, sort };
}

function search(call: Call): unknown {
  call.checkBody({ ...bodyPaging(call.version), query: text(), ...shapesOf(call.version) });
  const { body } = call;
  const { value: wanted, in_trash: isTrash = false } = isObject(body.filter) ? body.filter : {};
  const words = String(body.query ?? '')
    .trim()
    .toLowerCase();
  const indexed = call.now - call.searchLagMs;
  const results = everything(call)
    .filter(({ record }) => call.searchLagMs === 0 || record.createdTime <= indexed)
    .filter((item) => item.record.inTrash === isTrash && (wanted === undefined || item.kind === wanted))
    .filter((item) => titleOfResult(item).toLowerCase().includes(words));
  const direction = isObject(body.sort) && body.sort.direction === 'ascending' ? 1 : -1;
  results.sort(
    (a, b) =>
      direction * (a.record.lastEditedTime - b.record.lastEditedTime || a.record.order - b.record.order),
  );
  return listPage(call, results, {
    type: call.version.hasDataSources ? 'page_or_data_source' : 'page_or_database',
    paging: body,
    idOf: ({ record }) => record.id,
    present: (item) => presentResult(item, call),
  });
}

// API versions without data sources cannot represent a database with several, so the search omits it.
function everything({ state, version }: Call): SearchResult[] {
  const pages = [...state.pages.values()].map((record): SearchResult => ({ kind: 'page', record }));
  const containers = version.hasDataSources
    ? [...state.dataSources.values()].map((record): SearchResult => ({ kind: 'data_source', record }))
    : [...state.databases.values()]
        .filter(({ dataSourceIds }) => dataSourceIds.length === 1)
        .map((record): SearchResult => ({ kind: 'database', record }));
  return [...pages, ...containers];
}

function titleOfResult(result: SearchResult): string {
  return result.kind === 'page' ? titleOf(result.record) : plainText(result.record.title);
}

function presentResult(result: SearchResult, call: Call): unknown {
  if (result.kind === 'page') return presentPage(result.record, call);
  return result.kind === 'database'
    ? presentDatabase(result.record, call)
    : presentDataSource(result.record, call);
}

import { invalid } from './api-error.js';
import type { Call, Endpoints } from './call.js';
import { PERSON_USERS } from './identity.js';
import { pageById } from './lookup.js';
import { listPage } from './paging.js';
import { columnsOf } from './present-page.js';
import { presentValue } from './present-value.js';
import { findColumn } from './property-schema.js';
import { readPaging } from './query-parameters.js';

/** Types whose values come in pages, item by item. */
const LISTED = new Set(['title', 'rich_text', 'people', 'relation']);

export function addPageProperty(endpoints: Endpoints): void {
  endpoints.add('GET', '/pages/:page_id/properties/:property_id', (call) => {
    const page = pageById(call.state, call.id('page_id'));
    const key = call.id('property_id');
    const column = findColumn(columnsOf(page, call.state), key);
    if (column === undefined) throw invalid(`Could not find property with name or id: ${key}`);
    const whole = presentValue(column, page, PERSON_USERS, { isComplete: true });
    const { id, type } = whole;
    if (!LISTED.has(type))
      return {
        object: 'property_item',
        type,
        id,
        [type]: Reflect.get(whole, type),
        request_id: call.requestId,
      };
    return listed(call, { id, type, items: [Reflect.get(whole, type)].flat() });
  });
}

function listed(
  call: Call,
  { id, type, items }: { readonly id: string; readonly type: string; readonly items: readonly unknown[] },
) {
  const page = listPage(
    items.map((item, index) => ({ item, index: `${id}-${index}` })),
    {
      type: 'property_item',
      paging: readPaging(call),
      requestId: call.requestId,
      idOf: ({ index }) => index,
      present: ({ item }) => ({ object: 'property_item', type, id, [type]: item }),
    },
  );
  const next = page.next_cursor;
  const next_url =
    next === null
      ? null
      : `https://api.notion.com/v1/pages/${call.id('page_id')}/properties/${id}?start_cursor=${encodeURIComponent(next)}`;
  return { ...page, property_item: { id, next_url, type, [type]: {} } };
}

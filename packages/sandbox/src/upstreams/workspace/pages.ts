import { isObject } from '../../json.js';
import { invalid } from './api-error.js';
import type { Call, Endpoints } from './call.js';
import { createPage, pageContent, refuseTemplate, setValues, templateShapes } from './create-page.js';
import { withType } from './file-shape.js';
import { PERSON_USERS } from './identity.js';
import { dataSourceById, pageById } from './lookup.js';
import { listPage, readPaging, requestedColumns } from './paging.js';
import { columnsOf, presentPage } from './present-page.js';
import { presentValue } from './present-value.js';
import { findColumn } from './property-schema.js';
import { boolean, canonicalId, tagged, uuid } from './shape.js';
import type { PageRecord, Parent, WorkspaceState } from './state.js';
import { assertEditable, assertOutOfTrash, requestedTrash, trashShapes } from './trash.js';

export function addPages(endpoints: Endpoints): void {
  endpoints.add('POST', '/pages', createPage);
  endpoints.add('GET', '/pages/:page_id', (call) =>
    presentPage(pageById(call.state, call.id('page_id')), call, requestedColumns(call)),
  );
  endpoints.add('PATCH', '/pages/:page_id', updatePage);
}

const FLAGS = { is_locked: boolean, is_archived: boolean, erase_content: boolean };

function updatePage(call: Call): unknown {
  const { state, body, version } = call;
  call.checkBody({ ...pageContent, ...trashShapes(version), ...templateShapes(version), ...FLAGS });
  refuseTemplate(body);
  const page = pageById(state, call.id('page_id'));
  const trash = requestedTrash(call);
  (trash === false ? assertOutOfTrash : assertEditable)(state, page);
  setValues(page, call);
  if (body.icon !== undefined) page.icon = withType(body.icon);
  if (body.cover !== undefined) page.cover = withType(body.cover);
  if (trash !== undefined) page.inTrash = trash;
  if (typeof body.is_locked === 'boolean') page.isLocked = body.is_locked;
  if (typeof body.is_archived === 'boolean') page.isArchived = body.is_archived;
  if (body.erase_content === true) page.children = page.children.filter((id) => !state.blocks.has(id));
  state.touch(page, call.bot);
  return presentPage(page, call, requestedColumns(call));
}

/** Returns the rows of a data source, oldest first: either the rows in the trash or all others. */
export function rowsOf(state: WorkspaceState, dataSourceId: string, isTrash = false): PageRecord[] {
  return [...state.pages.values()].filter(
    ({ parent, inTrash }) =>
      parent.type === 'data_source_id' && parent.id === dataSourceId && inTrash === isTrash,
  );
}

const parentShape = tagged({ page_id: uuid, data_source_id: uuid });

export function addMovePage(endpoints: Endpoints): void {
  endpoints.add('POST', '/pages/:page_id/move', movePage);
}

function movePage(call: Call): unknown {
  call.checkBody({ parent: parentShape }, ['parent']);
  const { state, body } = call;
  const page = pageById(state, call.id('page_id'));
  assertEditable(state, page);
  const given = isObject(body.parent) ? body.parent : {};
  const parent: Parent =
    given.page_id === undefined
      ? { type: 'data_source_id', id: dataSourceById(state, canonicalId(String(given.data_source_id))).id }
      : { type: 'page_id', id: pageById(state, canonicalId(String(given.page_id))).id };
  const target = parent.type === 'page_id' ? state.pages.get(parent.id) : state.dataSources.get(parent.id);
  if (target !== undefined) assertEditable(state, target);
  if (isInside(state, parent.id, page.id))
    throw invalid('Cannot move a page into itself or a page below it.');
  const old = state.pages.get(page.parent.id);
  if (old) old.children = old.children.filter((id) => id !== page.id);
  page.parent = parent;
  if (parent.type === 'page_id') state.pages.get(parent.id)?.children.push(page.id);
  state.touch(page, call.bot);
  return presentPage(page, call);
}

function isInside(state: WorkspaceState, id: string, ancestor: string): boolean {
  let current: PageRecord | undefined = state.pages.get(id);
  while (current !== undefined) {
    if (current.id === ancestor) return true;
    current = state.pages.get(current.parent.id);
  }
  return false;
}

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
    call,
    items.map((item, index) => ({ item, index: `${id}-${index}` })),
    {
      type: 'property_item',
      paging: readPaging(call),
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

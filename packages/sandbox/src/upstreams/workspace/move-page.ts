import { isObject } from '../../json.js';
import { invalid } from './api-error.js';
import type { Call, Endpoints } from './call.js';
import { dataSourceById, pageById } from './lookup.js';
import { presentPage } from './present-page.js';
import { canonicalId, tagged, uuid } from './shape.js';
import type { PageRecord, Parent, WorkspaceState } from './state.js';
import { assertEditable } from './trash.js';

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
  const place = parent.type === 'page_id' ? state.pages.get(parent.id) : state.dataSources.get(parent.id);
  if (place !== undefined) assertEditable(state, place);
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

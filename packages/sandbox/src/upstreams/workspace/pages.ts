import type { Call, Endpoints } from './call.js';
import { createPage, pageContent, refuseTemplate, setValues, templateShapes } from './create-page.js';
import { withType } from './file-shape.js';
import { pageById } from './lookup.js';
import { presentPage } from './present-page.js';
import { askedColumns } from './query-parameters.js';
import { boolean } from './shape.js';
import type { PageRecord, WorkspaceState } from './state.js';
import { askedTrash, assertEditable, assertOutOfTrash, trashShapes } from './trash.js';

export function addPages(endpoints: Endpoints): void {
  endpoints.add('POST', '/pages', createPage);
  endpoints.add('GET', '/pages/:page_id', (call) =>
    presentPage(pageById(call.state, call.id('page_id')), call, askedColumns(call)),
  );
  endpoints.add('PATCH', '/pages/:page_id', updatePage);
}

const FLAGS = { is_locked: boolean, is_archived: boolean, erase_content: boolean };

function updatePage(call: Call): unknown {
  const { state, body, version } = call;
  call.checkBody({ ...pageContent, ...trashShapes(version), ...templateShapes(version), ...FLAGS });
  refuseTemplate(body);
  const page = pageById(state, call.id('page_id'));
  const trash = askedTrash(call);
  (trash === false ? assertOutOfTrash : assertEditable)(state, page);
  setValues(page, call);
  if (body.icon !== undefined) page.icon = withType(body.icon);
  if (body.cover !== undefined) page.cover = withType(body.cover);
  if (trash !== undefined) page.inTrash = trash;
  if (typeof body.is_locked === 'boolean') page.isLocked = body.is_locked;
  if (typeof body.is_archived === 'boolean') page.isArchived = body.is_archived;
  if (body.erase_content === true) page.children = page.children.filter((id) => !state.blocks.has(id));
  state.touch(page, call.bot);
  return presentPage(page, call, askedColumns(call));
}

/** The rows of a data source, oldest first: those in the trash, or those that are not. */
export function rowsOf(state: WorkspaceState, dataSourceId: string, isTrash = false): PageRecord[] {
  return [...state.pages.values()].filter(
    ({ parent, inTrash }) =>
      parent.type === 'data_source_id' && parent.id === dataSourceId && inTrash === isTrash,
  );
}

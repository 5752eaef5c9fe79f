import { isObject } from '../../json.js';
import { invalid } from './api-error.js';
import { childrenShape } from './block-shape.js';
import type { Call, Endpoints } from './call.js';
import { coverShape, iconShape, withType } from './file-shape.js';
import { insertBlocks } from './insert-blocks.js';
import { databaseById, dataSourceById, onlyDataSource, pageById } from './lookup.js';
import { columnsOf, presentPage } from './present-page.js';
import { readValues, valuesShape } from './property-value.js';
import { canonicalId, type Shape, tagged, uuid } from './shape.js';
import type { PageRecord, Parent, WorkspaceState } from './state.js';
import { askedTrash, trashShapes } from './trash.js';

const parentShape = tagged({ page_id: uuid, database_id: uuid, data_source_id: uuid });
const content: Record<string, Shape> = { properties: valuesShape, icon: iconShape, cover: coverShape };

export function addPages(endpoints: Endpoints): void {
  endpoints.add('POST', '/pages', createPage);
  endpoints.add('GET', '/pages/:page_id', (call) => {
    const only = call.query.getAll('filter_properties');
    return presentPage(
      pageById(call.state, call.id('page_id')),
      call,
      only.length === 0 ? undefined : new Set(only),
    );
  });
  endpoints.add('PATCH', '/pages/:page_id', updatePage);
}

function createPage(call: Call): unknown {
  call.checkBody({ ...content, parent: parentShape, children: childrenShape }, ['parent']);
  const { state, body } = call;
  const parent = readParent(call);
  const source = parent.type === 'data_source_id' ? dataSourceById(state, parent.id) : undefined;
  if (source !== undefined) source.nextSerial += 1;
  const page: PageRecord = {
    ...state.stamp(call.bot),
    parent,
    values: new Map(),
    icon: withType(body.icon),
    cover: withType(body.cover),
    children: [],
    serial: source?.nextSerial ?? 0,
  };
  setValues(page, call);
  state.pages.set(page.id, page);
  const blocks = insertBlocks(state, body.children, {
    parent: { type: 'page_id', id: page.id },
    by: call.bot,
  });
  page.children = blocks.map(({ id }) => id);
  if (parent.type === 'page_id') pageById(state, parent.id).children.push(page.id);
  return presentPage(page, call);
}

function readParent({ state, body }: Call): Parent {
  const given = isObject(body.parent) ? body.parent : {};
  const id = canonicalId(String(given.page_id ?? given.database_id ?? given.data_source_id));
  if (given.page_id !== undefined) {
    if (pageById(state, id).inTrash)
      throw invalid(
        "Can't edit page on block with an archived ancestor. You must unarchive the ancestor before editing.",
      );
    return { type: 'page_id', id };
  }
  const source =
    given.database_id === undefined
      ? dataSourceById(state, id)
      : onlyDataSource(state, databaseById(state, id));
  return { type: 'data_source_id', id: source.id };
}

function setValues(page: PageRecord, { state, body }: Call): void {
  const properties = isObject(body.properties) ? body.properties : {};
  const values = readValues(columnsOf(page, state), properties, { pageExists: (id) => state.pages.has(id) });
  for (const [id, value] of values) page.values.set(id, value);
}

function updatePage(call: Call): unknown {
  call.checkBody({ ...content, ...trashShapes(call.version) });
  const { state, body } = call;
  const page = pageById(state, call.id('page_id'));
  const trash = askedTrash(call);
  if (page.inTrash && trash !== false) {
    throw invalid("Can't edit block that is archived. You must unarchive the block before editing.");
  }
  setValues(page, call);
  if (body.icon !== undefined) page.icon = withType(body.icon);
  if (body.cover !== undefined) page.cover = withType(body.cover);
  if (trash !== undefined) page.inTrash = trash;
  state.touch(page, call.bot);
  return presentPage(page, call);
}

/** The rows of a data source that are not in the trash, oldest first. */
export function rowsOf(state: WorkspaceState, dataSourceId: string): PageRecord[] {
  return [...state.pages.values()].filter(
    ({ parent, inTrash }) => parent.type === 'data_source_id' && parent.id === dataSourceId && !inTrash,
  );
}

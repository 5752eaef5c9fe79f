import { isObject } from '../../json.js';
import { invalid } from './api-error.js';
import { childrenShape } from './block-shape.js';
import type { Call, Endpoints } from './call.js';
import { coverShape, iconShape, withType } from './file-shape.js';
import { insertBlocks } from './insert-blocks.js';
import { databaseById, dataSourceById, onlyDataSource, pageById } from './lookup.js';
import { blocksOf, inlineOf } from './markdown.js';
import { columnsOf, presentPage } from './present-page.js';
import { readValues, valuesShape } from './property-value.js';
import { richText } from './rich-text.js';
import { boolean, canonicalId, either, object, oneOf, type Shape, tagged, text, uuid } from './shape.js';
import type { PageRecord, Parent, WorkspaceState } from './state.js';
import { askedTrash, trashShapes } from './trash.js';

const parentShape = tagged({ page_id: uuid, database_id: uuid, data_source_id: uuid });
const content: Record<string, Shape> = { properties: valuesShape, icon: iconShape, cover: coverShape };
const positionShape = either(
  object({ type: oneOf('page_start', 'page_end') }, ['type']),
  object({ type: oneOf('after_block'), after_block: object({ id: uuid }, ['id']) }, ['type', 'after_block']),
);

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
  call.checkBody(
    {
      ...content,
      parent: parentShape,
      children: childrenShape,
      markdown: text({ max: 200_000 }),
      position: positionShape,
    },
    ['parent'],
  );
  const { state, body } = call;
  if (body.markdown !== undefined && body.children !== undefined)
    throw invalid('body failed validation: only one of body.children and body.markdown may be defined.');
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
  const given = typeof body.markdown === 'string' ? fromMarkdown(page, body.markdown) : body.children;
  const blocks = insertBlocks(state, given, {
    parent: { type: 'page_id', id: page.id },
    by: call.bot,
  });
  page.children = blocks.map(({ id }) => id);
  if (parent.type === 'page_id') place(pageById(state, parent.id).children, page.id, body.position);
  return presentPage(page, call);
}

// The first heading of a page that is given no title becomes its title.
function fromMarkdown(page: PageRecord, markdown: string): unknown[] {
  const [first, ...rest] = markdown.split('\n');
  if (page.values.has('title') || !first?.startsWith('# ')) return blocksOf(markdown);
  page.values.set('title', richText(inlineOf(first.slice(2))));
  return blocksOf(rest.join('\n'));
}

function place(children: string[], id: string, position: unknown): void {
  const { type, after_block: after } = isObject(position) ? position : {};
  const index = isObject(after) ? children.indexOf(canonicalId(String(after.id))) : -1;
  if (type === 'after_block' && index === -1) throw invalid('The block to come after is not on the page.');
  children.splice(type === 'page_start' ? 0 : index === -1 ? children.length : index + 1, 0, id);
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

const FLAGS = { is_locked: boolean, is_archived: boolean, erase_content: boolean };

function updatePage(call: Call): unknown {
  call.checkBody({ ...content, ...trashShapes(call.version), ...FLAGS });
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
  if (typeof body.is_locked === 'boolean') page.isLocked = body.is_locked;
  if (typeof body.is_archived === 'boolean') page.isArchived = body.is_archived;
  if (body.erase_content === true) page.children = page.children.filter((id) => !state.blocks.has(id));
  state.touch(page, call.bot);
  return presentPage(page, call);
}

/** The rows of a data source that are not in the trash, oldest first. */
export function rowsOf(state: WorkspaceState, dataSourceId: string): PageRecord[] {
  return [...state.pages.values()].filter(
    ({ parent, inTrash }) => parent.type === 'data_source_id' && parent.id === dataSourceId && !inTrash,
  );
}

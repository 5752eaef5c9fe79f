import { isObject } from '../../json.js';
import { invalid, notFound } from './api-error.js';
import { childrenShape } from './block-shape.js';
import type { Call, Version } from './call.js';
import { coverShape, iconShape, withType } from './file-shape.js';
import { assertNesting, insertBlocks } from './insert-blocks.js';
import { databaseById, dataSourceById, onlyDataSource, pageById } from './lookup.js';
import { blocksOf, inlineOf } from './markdown.js';
import { requestedColumns } from './paging.js';
import { columnsOf, presentPage } from './present-page.js';
import { readValues, valuesShape } from './property-value.js';
import { richText } from './rich-text.js';
import { canonicalId, either, object, oneOf, type Shape, tagged, text, uuid } from './shape.js';
import type { PageRecord, Parent, WorkspaceState } from './state.js';
import { assertEditable } from './trash.js';

export const pageContent: Record<string, Shape> = {
  properties: valuesShape,
  icon: iconShape,
  cover: coverShape,
};
const parents = { page_id: uuid, database_id: uuid, data_source_id: uuid };
const oldParentShape = tagged(parents);
const parentShape = tagged({ ...parents, workspace: oneOf(true) });
const positionShape = either(
  object({ type: oneOf('page_start', 'page_end') }, ['type']),
  object({ type: oneOf('after_block'), after_block: object({ id: uuid }, ['id']) }, ['type', 'after_block']),
);
const templateShape = either(
  object({ type: oneOf('none') }, ['type']),
  object({ type: oneOf('default'), timezone: text() }, ['type']),
  object({ type: oneOf('template_id'), template_id: uuid, timezone: text() }, ['type', 'template_id']),
);

export const templateShapes = ({ hasDataSources }: Version): Record<string, Shape> =>
  hasDataSources ? { template: templateShape } : {};

/** Rejects requests with a template, because templates can be created only in the app, so the sandbox has none. */
export function refuseTemplate({ template }: Call['body']): void {
  if (!isObject(template) || template.type === 'none') return;
  if (template.type === 'template_id') throw notFound('template', canonicalId(String(template.template_id)));
  throw invalid('The data source has no default template.');
}

export function createPage(call: Call): unknown {
  checkBody(call);
  const { state, body } = call;
  const parent = readParent(call);
  const source = parent.type === 'data_source_id' ? dataSourceById(state, parent.id) : undefined;
  const page: PageRecord = {
    ...state.stamp(call.bot),
    parent,
    values: new Map(),
    icon: withType(body.icon),
    cover: withType(body.cover),
    children: [],
    serial: source === undefined ? 0 : source.nextSerial + 1,
  };
  // All checks must run before anything is stored, so that a rejected request changes nothing.
  const siblings = state.pages.get(parent.id)?.children ?? [];
  const index = indexAmong(siblings, body.position);
  setValues(page, call);
  const { markdown, children = body.content } = body;
  assertNesting(children, 'page');
  const given = typeof markdown === 'string' ? fromMarkdown(page, markdown) : children;
  const blocks = insertBlocks(state, given, { parent: { type: 'page_id', id: page.id }, by: call.bot });
  page.children = blocks.map(({ id }) => id);
  if (source !== undefined) source.nextSerial = page.serial;
  state.pages.set(page.id, page);
  siblings.splice(index, 0, page.id);
  return presentPage(page, call, requestedColumns(call));
}

function checkBody(call: Call): void {
  const { version, body } = call;
  const { hasDataSources } = version;
  const shapes = {
    ...pageContent,
    ...templateShapes(version),
    parent: hasDataSources ? parentShape : oldParentShape,
    children: childrenShape,
    content: childrenShape,
    markdown: text({ max: 200_000 }),
    position: positionShape,
  };
  const isRow = isObject(body.parent) && body.parent.database_id !== undefined;
  call.checkBody(shapes, hasDataSources ? [] : ['parent', ...(isRow ? ['properties'] : [])]);
  if ([body.markdown, body.children, body.content].filter((given) => given !== undefined).length > 1)
    throw invalid(
      'body failed validation: only one of body.children, body.content and body.markdown may be defined.',
    );
  refuseTemplate(body);
}

// Converts Markdown into blocks. The first heading becomes the title if the request sets no title.
function fromMarkdown(page: PageRecord, markdown: string): unknown[] {
  const [first, ...rest] = markdown.split('\n');
  if (page.values.has('title') || !first?.startsWith('# ')) return blocksOf(markdown);
  page.values.set('title', richText(inlineOf(first.slice(2))));
  return blocksOf(rest.join('\n'));
}

function indexAmong(children: readonly string[], position: unknown): number {
  const { type, after_block: after } = isObject(position) ? position : {};
  const index = isObject(after) ? children.indexOf(canonicalId(String(after.id))) : -1;
  if (type === 'after_block' && index === -1)
    throw invalid('The block in "position.after_block" is not on the page.');
  if (type === 'page_start') return 0;
  return index === -1 ? children.length : index + 1;
}

function readParent({ state, body }: Call): Parent {
  const given = isObject(body.parent) ? body.parent : {};
  const { page_id, database_id, data_source_id } = given;
  const id = canonicalId(String(page_id ?? database_id ?? data_source_id));
  if (page_id !== undefined) {
    assertEditable(state, pageById(state, id));
    return { type: 'page_id', id };
  }
  if (database_id === undefined && data_source_id === undefined) return { type: 'workspace', id: '' };
  const source =
    database_id === undefined ? dataSourceById(state, id) : onlyDataSource(state, databaseById(state, id));
  assertEditable(state, source);
  return { type: 'data_source_id', id: source.id };
}

export function setValues(
  page: PageRecord,
  { state, body }: { state: WorkspaceState; body: Call['body'] },
): void {
  const properties = isObject(body.properties) ? body.properties : {};
  const values = readValues(columnsOf(page, state), properties, { pageExists: (id) => state.pages.has(id) });
  for (const [id, value] of values) page.values.set(id, value);
}

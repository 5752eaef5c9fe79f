import { isObject } from '../../json.js';
import type { Call, Endpoints, Version } from './call.js';
import { coverShape, iconShape, withType } from './file-shape.js';
import { databaseById, onlyDataSource, pageById } from './lookup.js';
import { presentDatabase } from './present-database.js';
import { newColumns, schemaShape, schemaUpdateShape, setColumns, updateColumns } from './property-schema.js';
import { queryRows } from './query.js';
import { richText, richTextShape } from './rich-text.js';
import { boolean, canonicalId, object, oneOf, type Shape, tagged, uuid } from './shape.js';
import type { DatabaseRecord, DataSourceRecord, PageRecord, Parent } from './state.js';
import { assertEditable, assertOutOfTrash, requestedTrash, trashShapes } from './trash.js';

const parentShape = tagged({ page_id: uuid });
const newerParentShape = tagged({ page_id: uuid, workspace: oneOf(true) });
const parentOf = ({ hasDataSources }: Version): Shape => (hasDataSources ? newerParentShape : parentShape);
const appearance: Record<string, Shape> = {
  title: richTextShape,
  description: richTextShape,
  icon: iconShape,
  cover: coverShape,
  is_inline: boolean,
};

export function addDatabases(endpoints: Endpoints): void {
  endpoints.add('POST', '/databases', createDatabase);
  endpoints.add('GET', '/databases/:database_id', getDatabase);
  endpoints.add('PATCH', '/databases/:database_id', updateDatabase);
  endpoints.add(
    'POST',
    '/databases/:database_id/query',
    (call) => queryRows(call, onlyDataSource(call.state, databaseById(call.state, call.id('database_id')))),
    (version) => !version.hasDataSources,
  );
}

function getDatabase(call: Call): unknown {
  const database = databaseById(call.state, call.id('database_id'));
  if (!call.version.hasDataSources) onlyDataSource(call.state, database);
  return presentDatabase(database, call);
}

const UNNAMED = { Name: { title: {} } };

function pageOf({ state, body }: Call): PageRecord | undefined {
  if (!isObject(body.parent) || body.parent.page_id === undefined) return undefined;
  const page = pageById(state, canonicalId(String(body.parent.page_id)));
  assertEditable(state, page);
  return page;
}

const parentOfPage = (page: PageRecord | undefined): Parent =>
  page === undefined ? { type: 'workspace', id: '' } : { type: 'page_id', id: page.id };

function movedTo(database: DatabaseRecord, call: Call): void {
  const page = pageOf(call);
  const old = call.state.pages.get(database.parent.id);
  if (old) old.children = old.children.filter((id) => id !== database.id);
  database.parent = parentOfPage(page);
  page?.children.push(database.id);
}

function createDatabase(call: Call): unknown {
  const { state, body, version, bot } = call;
  const schema: Record<string, Shape> = version.hasDataSources
    ? { initial_data_source: object({ properties: schemaShape }) }
    : { properties: schemaShape };
  const required = version.hasDataSources ? ['parent'] : ['parent', 'properties'];
  call.checkBody({ ...appearance, parent: parentOf(version), ...schema }, required);

  const parent = pageOf(call);
  const schemaSource = version.hasDataSources ? body.initial_data_source : body;
  const columns = newColumns(
    isObject(schemaSource) && isObject(schemaSource.properties) ? schemaSource.properties : UNNAMED,
  );
  const database: DatabaseRecord = {
    ...state.stamp(bot),
    parent: parentOfPage(parent),
    title: richText(body.title),
    description: richText(body.description),
    icon: withType(body.icon),
    cover: withType(body.cover),
    isInline: body.is_inline === true,
    dataSourceIds: [],
  };
  const source: DataSourceRecord = {
    ...state.stamp(bot),
    databaseId: database.id,
    title: database.title,
    icon: database.icon,
    columns,
    nextSerial: 0,
  };
  setColumns(source, columns, state);
  database.dataSourceIds.push(source.id);
  state.databases.set(database.id, database);
  state.dataSources.set(source.id, source);
  parent?.children.push(database.id);
  return presentDatabase(database, call);
}

function updateDatabase(call: Call): unknown {
  const { state, body, version } = call;
  const schema: Record<string, Shape> = version.hasDataSources ? {} : { properties: schemaUpdateShape };
  const newer: Record<string, Shape> = version.hasDataSources
    ? { is_locked: boolean, parent: newerParentShape }
    : {};
  call.checkBody({ ...appearance, ...schema, ...newer, ...trashShapes(version) });
  const database = databaseById(state, call.id('database_id'));
  const source = version.hasDataSources ? undefined : onlyDataSource(state, database);
  const trash = requestedTrash(call);
  (trash === false ? assertOutOfTrash : assertEditable)(state, database);
  if (source !== undefined && isObject(body.properties))
    setColumns(source, updateColumns(source.columns, body.properties), state);
  if (body.parent !== undefined) movedTo(database, call);
  if (body.title !== undefined) database.title = richText(body.title);
  if (source !== undefined && body.title !== undefined) source.title = database.title;
  if (body.description !== undefined) database.description = richText(body.description);
  if (body.icon !== undefined) database.icon = withType(body.icon);
  if (body.cover !== undefined) database.cover = withType(body.cover);
  if (typeof body.is_inline === 'boolean') database.isInline = body.is_inline;
  if (typeof body.is_locked === 'boolean') database.isLocked = body.is_locked;
  if (trash !== undefined) database.inTrash = trash;
  state.touch(database, call.bot);
  return presentDatabase(database, call);
}

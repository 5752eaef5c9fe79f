import { isObject } from '../../json.js';
import { invalid } from './api-error.js';
import type { Call, Endpoints } from './call.js';
import { coverShape, iconShape, withType } from './file-shape.js';
import { databaseById, onlyDataSource, pageById } from './lookup.js';
import { presentDatabase } from './present-database.js';
import { newColumns, schemaShape, schemaUpdateShape, updateColumns } from './property-schema.js';
import { queryRows } from './query.js';
import { relateColumns } from './relate-columns.js';
import { richText, richTextShape } from './rich-text.js';
import { boolean, canonicalId, object, type Shape, tagged, uuid } from './shape.js';
import type { DatabaseRecord, DataSourceRecord } from './state.js';
import { askedTrash, trashShapes } from './trash.js';

const parentShape = tagged({ page_id: uuid });
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

function createDatabase(call: Call): unknown {
  const { state, body, version, bot } = call;
  const inner = object({ properties: schemaShape }, ['properties']);
  const schema: Record<string, Shape> = version.hasDataSources
    ? { initial_data_source: inner }
    : { properties: schemaShape };
  call.checkBody({ ...appearance, parent: parentShape, ...schema }, ['parent', ...Object.keys(schema)]);

  const parent = pageById(state, canonicalId(String(isObject(body.parent) ? body.parent.page_id : '')));
  const holder =
    version.hasDataSources && isObject(body.initial_data_source) ? body.initial_data_source : body;
  const columns = newColumns(isObject(holder.properties) ? holder.properties : {});
  const database: DatabaseRecord = {
    ...state.stamp(bot),
    parent: { type: 'page_id', id: parent.id },
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
  database.dataSourceIds.push(source.id);
  state.databases.set(database.id, database);
  relateColumns(source, state);
  state.dataSources.set(source.id, source);
  parent.children.push(database.id);
  return presentDatabase(database, call);
}

function updateDatabase(call: Call): unknown {
  const { state, body, version } = call;
  const schema: Record<string, Shape> = version.hasDataSources ? {} : { properties: schemaUpdateShape };
  const isLocked: Record<string, Shape> = version.hasDataSources ? { is_locked: boolean } : {};
  call.checkBody({ ...appearance, ...schema, ...isLocked, ...trashShapes(version) });
  const database = databaseById(state, call.id('database_id'));
  const source = version.hasDataSources ? undefined : onlyDataSource(state, database);
  const trash = askedTrash(call);
  if (database.inTrash && trash !== false) {
    throw invalid("Can't edit block that is archived. You must unarchive the block before editing.");
  }
  if (source !== undefined && isObject(body.properties)) {
    source.columns = updateColumns(source.columns, body.properties);
    relateColumns(source, state);
  }
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

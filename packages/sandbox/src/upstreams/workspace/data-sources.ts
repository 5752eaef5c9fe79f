import { isObject } from '../../json.js';
import type { Call, Endpoints, Version } from './call.js';
import { iconShape, withType } from './file-shape.js';
import { databaseById, dataSourceById } from './lookup.js';
import { pagingShapes, readQuery } from './paging.js';
import { presentDataSource } from './present-database.js';
import { newColumns, schemaShape, schemaUpdateShape, setColumns, updateColumns } from './property-schema.js';
import { queryRows } from './query.js';
import { richText, richTextShape } from './rich-text.js';
import { canonicalId, tagged, text, uuid } from './shape.js';
import type { DatabaseRecord, DataSourceRecord, WorkspaceState } from './state.js';
import { assertEditable, assertOutOfTrash, requestedTrash, trashShapes } from './trash.js';

const served = (version: Version): boolean => version.hasDataSources;
const parentShape = tagged({ database_id: uuid });

export function addDataSources(endpoints: Endpoints): void {
  endpoints.add('POST', '/data_sources', createDataSource, served);
  endpoints.add(
    'GET',
    '/data_sources/:data_source_id',
    (call) => presentDataSource(dataSourceById(call.state, call.id('data_source_id')), call),
    served,
  );
  endpoints.add('PATCH', '/data_sources/:data_source_id', updateDataSource, served);
  endpoints.add('GET', '/data_sources/:data_source_id/templates', listTemplates, served);
  endpoints.add(
    'POST',
    '/data_sources/:data_source_id/query',
    (call) => queryRows(call, dataSourceById(call.state, call.id('data_source_id'))),
    served,
  );
}

// Lists no templates, because templates can be created only in the app.
function listTemplates(call: Call): unknown {
  readQuery(call, { ...pagingShapes, name: text() });
  dataSourceById(call.state, call.id('data_source_id'));
  return { templates: [], has_more: false, next_cursor: null, request_id: call.requestId };
}

function databaseOf({ state, body }: Call): DatabaseRecord {
  const { database_id: id } = isObject(body.parent) ? body.parent : {};
  const database = databaseById(state, canonicalId(String(id)));
  assertEditable(state, database);
  return database;
}

function moveTo(source: DataSourceRecord, database: DatabaseRecord, state: WorkspaceState): void {
  const old = state.databases.get(source.databaseId);
  if (old) old.dataSourceIds = old.dataSourceIds.filter((id) => id !== source.id);
  source.databaseId = database.id;
  database.dataSourceIds.push(source.id);
}

function createDataSource(call: Call): unknown {
  const shapes = { parent: parentShape, properties: schemaShape, title: richTextShape, icon: iconShape };
  call.checkBody(shapes, ['parent', 'properties']);
  const { state, body, bot } = call;
  const database = databaseOf(call);
  const source: DataSourceRecord = {
    ...state.stamp(bot),
    databaseId: database.id,
    title: richText(body.title),
    icon: withType(body.icon),
    columns: newColumns(isObject(body.properties) ? body.properties : {}),
    nextSerial: 0,
  };
  setColumns(source, source.columns, state);
  state.dataSources.set(source.id, source);
  database.dataSourceIds.push(source.id);
  return presentDataSource(source, call);
}

function updateDataSource(call: Call): unknown {
  call.checkBody({
    title: richTextShape,
    icon: iconShape,
    properties: schemaUpdateShape,
    parent: parentShape,
    ...trashShapes(call.version),
  });
  const { state, body } = call;
  const source = dataSourceById(state, call.id('data_source_id'));
  const trash = requestedTrash(call);
  (trash === false ? assertOutOfTrash : assertEditable)(state, source);
  if (isObject(body.properties)) setColumns(source, updateColumns(source.columns, body.properties), state);
  if (body.parent !== undefined) moveTo(source, databaseOf(call), state);
  if (body.title !== undefined) source.title = richText(body.title);
  if (body.icon !== undefined) source.icon = withType(body.icon);
  if (trash !== undefined) source.inTrash = trash;
  state.touch(source, call.bot);
  return presentDataSource(source, call);
}

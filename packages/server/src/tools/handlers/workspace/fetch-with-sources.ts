import { segment } from '@svc/catalog';
import type { Send } from '../../handler.js';
import { idIn, type Json, listIn, objectIn, withoutUndefined } from '../json.js';
import { DATA_SOURCE_VERSION, versionHeader } from './version.js';

/**
 * Reads a database, and then the columns of each of its data sources. The database itself does not contain the columns.
 */
export async function fetchWithSources(databaseId: string, send: Send): Promise<Json> {
  const read = (path: string) => send({ method: 'GET', path, ...versionHeader(DATA_SOURCE_VERSION) });
  const database = objectIn(await read(`/v1/databases/${segment(databaseId, 'database_id')}`), 'a database');
  if (database['data_sources'] === undefined) return database;
  const sources: Json[] = [];
  // Data sources are read one after another, because the upstream allows about three requests per second.
  for (const entry of listIn(database, 'data_sources')) {
    const source = await read(`/v1/data_sources/${segment(idIn(entry, 'a data source'), 'database_id')}`);
    const { properties } = objectIn(source, 'a data source');
    sources.push(withoutUndefined({ ...objectIn(entry, 'a data source'), properties }));
  }
  return { ...database, data_sources: sources };
}

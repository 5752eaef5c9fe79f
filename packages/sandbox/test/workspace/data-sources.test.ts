import { describe, expect, test } from 'vitest';
import { ada, search, text, useWorkspace, V22, V25 } from './setup.js';

useWorkspace();

describe('data sources', () => {
  async function library(): Promise<string> {
    const source = await search('Books', 'data_source', V25);
    const { body } = await ada.call('GET', `/v1/data_sources/${source}`, { headers: V25 });
    return body.parent.database_id;
  }

  test('contain the schema and the rows', async () => {
    const database = await library();
    const { body } = await ada.call('GET', `/v1/databases/${database}`, { headers: V25 });
    expect(body.data_sources.map(({ name }: { name: string }) => name)).toEqual(['Books', 'Films']);
    const films = body.data_sources[1].id;
    expect((await ada.call('GET', `/v1/data_sources/${films}`, { headers: V25 })).body).toMatchObject({
      object: 'data_source',
      properties: { Year: { type: 'number' } },
      database_parent: { type: 'page_id' },
    });
    const parent = { type: 'data_source_id', data_source_id: films };
    const row = await ada.call('POST', '/v1/pages', {
      headers: V25,
      body: { parent, properties: { Title: { title: text('Contact') }, Year: { number: 1997 } } },
    });
    expect(row.body.parent).toEqual({ type: 'data_source_id', data_source_id: films, database_id: database });
    const rows = await ada.call('POST', `/v1/data_sources/${films}/query`, {
      headers: V25,
      body: { filter: { property: 'Year', number: { less_than: 2000 } } },
    });
    expect(rows.body).toMatchObject({ type: 'page_or_data_source', results: [{ id: row.body.id }, {}] });
  });

  test.each([
    { title: 'fetched', method: 'GET', path: (id: string) => `/v1/databases/${id}` },
    { title: 'queried', method: 'POST', path: (id: string) => `/v1/databases/${id}/query`, body: {} },
    { title: 'used as a parent', method: 'POST', path: () => '/v1/pages', row: true },
    {
      title: 'used as a parent in the new version',
      method: 'POST',
      path: () => '/v1/pages',
      row: true,
      headers: V25,
    },
  ])(
    'are refused if a database with several of them is $title',
    async ({ method, path, body, row, headers = V22 }) => {
      const database = await library();
      const sent = row === true ? { parent: { database_id: database }, properties: {} } : body;
      const response = await ada.call(method, path(database), {
        headers,
        ...(sent === undefined ? {} : { body: sent }),
      });
      expect(response).toMatchObject({
        status: 400,
        body: {
          code: 'validation_error',
          message: 'Databases with multiple data sources are not supported in this API version.',
          additional_data: {
            error_type: 'multiple_data_sources_for_database',
            database_id: database,
            minimum_api_version: '2025-09-03',
          },
        },
      });
      expect(response.body.additional_data.child_data_source_ids).toHaveLength(2);
    },
  );

  test('are not found by a database id, nor databases by a data source id', async () => {
    const database = await library();
    expect((await ada.call('GET', `/v1/data_sources/${database}`, { headers: V25 })).status).toBe(404);
    const source = await search('Books', 'data_source', V25);
    expect((await ada.call('GET', `/v1/databases/${source}`, { headers: V25 })).status).toBe(404);
  });
});

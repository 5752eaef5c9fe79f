import { expect, test } from 'vitest';
import { ServiceError } from '../../../errors.js';
import { fetchWithSources } from './fetch-with-sources.js';

const sendFrom =
  (responses: Record<string, unknown>) => async (request: { path: string; headers?: unknown }) => {
    expect(request.headers).toEqual({ 'Notion-Version': '2025-09-03' });
    if (!(request.path in responses))
      throw new ServiceError('upstream_failed', request.path, { status: 404 });
    return responses[request.path];
  };

test('the columns of each data source are added', async () => {
  const send = sendFrom({
    '/v1/databases/d1': {
      id: 'd1',
      data_sources: [
        { id: 's1', name: 'A' },
        { id: 's2', name: 'B' },
      ],
    },
    '/v1/data_sources/s1': { id: 's1', properties: { Name: { id: 'title' } } },
    '/v1/data_sources/s2': { id: 's2' },
  });

  expect(await fetchWithSources('d1', send)).toStrictEqual({
    id: 'd1',
    data_sources: [
      { id: 's1', name: 'A', properties: { Name: { id: 'title' } } },
      { id: 's2', name: 'B' },
    ],
  });
});

test('fetching fails when the columns of a data source cannot be read', async () => {
  const send = sendFrom({ '/v1/databases/d1': { id: 'd1', data_sources: [{ id: 's1', name: 'A' }] } });

  await expect(fetchWithSources('d1', send)).rejects.toMatchObject({ details: { status: 404 } });
});

import { describe, expect, test } from 'vitest';
import { ada, sandbox, search, useWorkspace } from './setup.js';

useWorkspace();

describe('search', () => {
  test('matches only titles and sorts by the latest change', async () => {
    const { body } = await ada.call('POST', '/v1/search', { body: { query: 'release' } });
    expect(body.results).toHaveLength(1);
    await sandbox.clock.advance(60_000);
    const page = await search('Meeting notes', 'page');
    await ada.call('PATCH', `/v1/pages/${page}`, { body: { icon: { emoji: '📝' } } });
    expect((await ada.call('POST', '/v1/search', { body: {} })).body.results[0].id).toBe(page);
  });

  test('omits a database with several data sources in an old version', async () => {
    const { body } = await ada.call('POST', '/v1/search', {
      body: { filter: { property: 'object', value: 'database' } },
    });
    expect(
      body.results.map(({ title }: { title: { plain_text: string }[] }) => title[0]?.plain_text),
    ).toEqual(['Tasks']);
    expect(body.type).toBe('page_or_database');
  });

  test.each([
    {
      title: 'a sort by creation time',
      body: { sort: { direction: 'ascending', timestamp: 'created_time' } },
      message:
        'body failed validation: body.sort.timestamp should be `"last_edited_time"`, instead was `"created_time"`.',
    },
    {
      title: 'an incomplete sort',
      body: { sort: { direction: 'ascending' } },
      message: 'body failed validation: body.sort.timestamp should be defined, instead was `undefined`.',
    },
    {
      title: 'data sources in an old version',
      body: { filter: { property: 'object', value: 'data_source' } },
      message:
        'body failed validation: body.filter.value should be `"page"` or `"database"`, instead was `"data_source"`.',
    },
  ])('refuses $title', async ({ body, message }) => {
    expect((await ada.call('POST', '/v1/search', { body })).body.message).toBe(message);
  });
});

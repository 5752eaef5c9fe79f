import { describe, expect, test } from 'vitest';
import { ada, paragraph, search, text, UNKNOWN, useWorkspace, V22, V25 } from './setup.js';

useWorkspace();

describe('pages', () => {
  test('are created with children, icon and cover, and cleared or trashed by an update', async () => {
    const parent = await search('Projects', 'page');
    const body = {
      parent: { type: 'page_id', page_id: parent },
      properties: { title: { title: text('New') } },
      children: [paragraph('Hello')],
      icon: { emoji: '🚀' },
      cover: { external: { url: 'https://example.com/a.png' } },
    };
    const { status, body: page } = await ada.call('POST', '/v1/pages', { body });
    expect(status).toBe(200);
    expect(page).toMatchObject({
      object: 'page',
      parent: { type: 'page_id', page_id: parent },
      icon: { type: 'emoji', emoji: '🚀' },
      properties: { title: { id: 'title', type: 'title' } },
      archived: false,
    });
    expect((await ada.call('GET', `/v1/blocks/${page.id}/children`)).body.results).toHaveLength(1);
    const cleared = await ada.call('PATCH', `/v1/pages/${page.id}`, { body: { icon: null, archived: true } });
    expect(cleared.body).toMatchObject({ icon: null, in_trash: true });
    expect((await ada.call('PATCH', `/v1/pages/${page.id}`, { body: { properties: {} } })).status).toBe(400);
  });

  test.each([
    {
      title: 'a missing parent',
      body: { properties: {} },
      message: 'body failed validation: body.parent should be defined, instead was `undefined`.',
    },
    {
      title: 'two parents',
      body: { parent: { page_id: UNKNOWN, database_id: UNKNOWN } },
      message: /should be not present/,
    },
    {
      title: 'a type that contradicts the parent',
      body: { parent: { type: 'page_id', database_id: UNKNOWN } },
      message: /body\.parent\.type should be/,
    },
    {
      title: 'a database id as a data source',
      headers: V25,
      parent: 'database',
      body: {},
      status: 404,
      message: /Could not find data_source/,
    },
    {
      title: 'a database property under a page',
      parent: 'page',
      body: { properties: { Status: { status: null } } },
      message: 'Status is not a property that exists.',
    },
    {
      title: 'a value of another type',
      parent: 'row',
      body: { properties: { Estimate: { rich_text: text('x') } } },
      message: 'Estimate is expected to be number.',
    },
    {
      title: 'a value without a type',
      parent: 'row',
      body: { properties: { Estimate: { amount: 1 } } },
      message: /Fix one:/,
    },
    {
      title: 'an unknown status',
      parent: 'row',
      body: { properties: { Status: { status: { name: 'Maybe' } } } },
      message: 'Invalid status option. Status option "Maybe" does not exist".',
    },
    {
      title: 'a computed column',
      parent: 'row',
      body: { properties: { Created: { created_time: '2026-01-01' } } },
      message: /Fix one:/,
    },
    {
      title: 'an invalid date',
      parent: 'row',
      body: { properties: { Due: { date: { start: 'soon' } } } },
      message:
        'body failed validation: body.properties.Due.date.start should be a valid ISO 8601 date string, instead was `"soon"`.',
    },
  ])('refuse $title', async ({ parent, body, headers = V22, status = 400, message }) => {
    const parents: Record<string, () => Promise<unknown>> = {
      page: async () => ({ page_id: await search('Projects', 'page') }),
      row: async () => ({ database_id: await search('Tasks', 'database') }),
      database: async () => ({ data_source_id: await search('Tasks', 'database') }),
    };
    const under = parent === undefined ? {} : { parent: await parents[parent]?.() };
    const response = await ada.call('POST', '/v1/pages', { headers, body: { ...under, ...body } });
    expect(response.status).toBe(status);
    if (typeof message === 'string') expect(response.body.message).toBe(message);
    else expect(response.body.message).toMatch(message);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import type { ApiResponse } from '../authorized.js';
import { ada, search, text, useWorkspace, V25 } from './setup.js';

useWorkspace();

describe('databases', () => {
  let tasks: string;
  beforeEach(async () => {
    tasks = await search('Tasks', 'database');
  });
  const query = async (body: object, search = ''): Promise<ApiResponse> =>
    ada.call('POST', `/v1/databases/${tasks}/query${search}`, { body });
  const names = (response: ApiResponse): string[] =>
    response.body.results.map(
      (row: { properties: { Name: { title: { plain_text: string }[] } } }) =>
        row.properties.Name.title[0]?.plain_text,
    );

  test('accept new rows, which a query finds', async () => {
    const properties = {
      Name: { title: text('Ship it') },
      Priority: { select: { name: 'Urgent' } },
      Tags: { multi_select: [{ name: 'api' }, { name: 'new' }] },
      Due: { date: { start: '2026-12-24' } },
    };
    const { body: row } = await ada.call('POST', '/v1/pages', {
      body: { parent: { database_id: tasks }, properties },
    });
    expect(row).toMatchObject({
      parent: { type: 'database_id', database_id: tasks },
      properties: {
        Status: { status: { name: 'Not started' } },
        Priority: { select: { name: 'Urgent', color: 'default' } },
      },
    });
    const matches = await query({ filter: { property: 'Name', title: { equals: 'Ship it' } } });
    expect(matches.body).toMatchObject({
      object: 'list',
      type: 'page_or_database',
      page_or_database: {},
      results: [{ id: row.id }],
      has_more: false,
    });
    const { body: database } = await ada.call('GET', `/v1/databases/${tasks}`);
    expect(database.properties.Priority.select.options.map(({ name }: { name: string }) => name)).toContain(
      'Urgent',
    );
  });

  test.each([
    { title: 'text', filter: { property: 'Name', title: { contains: 'the l' } }, rows: ['Fix the login'] },
    {
      title: 'a select',
      filter: { property: 'Priority', select: { equals: 'Medium' } },
      rows: ['Rotate the keys', 'Plan the release'],
    },
    {
      title: 'a status by its id',
      filter: { property: 'St%1', status: { equals: 'Done' } },
      rows: ['Rotate the keys'],
    },
    {
      title: 'a number',
      filter: { property: 'Estimate', number: { greater_than_or_equal_to: 5 } },
      rows: ['Write the guide', 'Measure the proxy'],
    },
    {
      title: 'an empty number',
      filter: { property: 'Estimate', number: { is_empty: true } },
      rows: ['Plan the release'],
    },
    {
      title: 'a date',
      filter: { property: 'Due', date: { before: '2026-11-20' } },
      rows: ['Rotate the keys'],
    },
    {
      title: 'tags',
      filter: { property: 'Tags', multi_select: { does_not_contain: 'ops' } },
      rows: ['Write the guide', 'Fix the login', 'Plan the release'],
    },
    { title: 'a checkbox', filter: { property: 'Billable', checkbox: { equals: true } }, rows: [] },
    {
      title: 'an and condition',
      filter: {
        and: [
          { property: 'Tags', multi_select: { contains: 'api' } },
          { property: 'Status', status: { does_not_equal: 'Done' } },
        ],
      },
      rows: ['Fix the login'],
    },
    {
      title: 'an or condition with two levels',
      filter: {
        or: [
          { and: [{ property: 'Priority', select: { equals: 'Low' } }] },
          { property: 'Name', title: { starts_with: 'Write' } },
        ],
      },
      rows: ['Write the guide', 'Measure the proxy'],
    },
    {
      title: 'the creation time of a row',
      filter: { timestamp: 'created_time', created_time: { past_week: {} } },
      rows: ['Write the guide', 'Fix the login', 'Rotate the keys', 'Measure the proxy', 'Plan the release'],
    },
  ])('are filtered by $title', async ({ filter, rows }) => {
    expect(names(await query({ filter })).sort()).toEqual([...rows].sort());
  });

  test.each([
    {
      title: 'an unknown property',
      body: { filter: { property: 'Nope', title: { equals: 'x' } } },
      message: 'Could not find property with name or id: Nope',
    },
    {
      title: 'a filter of another property type',
      body: { filter: { property: 'Estimate', title: { equals: 'x' } } },
      message: 'database property number does not match filter title',
    },
    {
      title: 'three levels of filters',
      body: { filter: { and: [{ or: [{ and: [] }] }] } },
      message: /body\.filter\.and\[0\]\.or\[0\]\.and should be not present/,
    },
    {
      title: 'an unknown operator',
      body: { filter: { property: 'Estimate', number: { above: 1 } } },
      message: /Fix one:/,
    },
    {
      title: 'an unknown sort',
      body: { sorts: [{ property: 'Nope', direction: 'ascending' }] },
      message: 'Could not find sort property with name or id: Nope',
    },
    {
      title: 'an unknown key',
      body: { schema_version: '1.0.0' },
      message: /body\.schema_version should be not present/,
    },
    {
      title: 'a null cursor',
      body: { start_cursor: null },
      message: /body\.start_cursor should be a string/,
    },
    {
      title: 'a page size of 101',
      body: { page_size: 101 },
      message: 'body failed validation: body.page_size should be ≤ `100`, instead was `101`.',
    },
  ])('refuse a query with $title', async ({ body, message }) => {
    const response = await query(body);
    expect(response.status).toBe(400);
    if (typeof message === 'string') expect(response.body.message).toBe(message);
    else expect(response.body.message).toMatch(message);
  });

  test('are sorted by several columns with empty cells last, and split into pages', async () => {
    const sorts = [
      { property: 'Priority', direction: 'ascending' },
      { property: 'Due', direction: 'descending' },
    ];
    const first = await query({ sorts, page_size: 3 });
    const second = await query({ sorts, page_size: 3, start_cursor: first.body.next_cursor });
    expect([...names(first), ...names(second)]).toEqual([
      'Write the guide',
      'Fix the login',
      'Plan the release',
      'Rotate the keys',
      'Measure the proxy',
    ]);
    expect(names(await query({ sorts: [{ property: 'Estimate', direction: 'descending' }] })).at(-1)).toBe(
      'Plan the release',
    );
  });

  test('return only the properties that are selected by decoded id', async () => {
    const { body } = await ada.call('GET', `/v1/databases/${tasks}`);
    const { id } = body.properties.Tags;
    expect(id).toBe('fk%5EY');
    const keys = async (value: string) =>
      Object.keys((await query({}, `?filter_properties=${value}`)).body.results[0].properties);
    expect(await keys(id)).toEqual(['Tags']);
    expect(await keys(encodeURIComponent(id))).toEqual([]);
    expect(await keys(`${id}&filter_properties=title`)).toEqual(['Name', 'Tags']);
  });

  test('are created, and updated with added, renamed and removed columns', async () => {
    const parent = await search('Projects', 'page');
    const body = {
      parent: { type: 'page_id', page_id: parent },
      title: text('Leads'),
      properties: { Name: { title: {} }, Stage: { select: { options: [{ name: 'New', color: 'green' }] } } },
    };
    const { body: created } = await ada.call('POST', '/v1/databases', { body });
    expect(created).toMatchObject({
      object: 'database',
      title: [{ plain_text: 'Leads' }],
      properties: {
        Name: { id: 'title', type: 'title' },
        Stage: { select: { options: [{ name: 'New', color: 'green' }] } },
      },
    });
    const properties = {
      Stage: { name: 'Phase' },
      Name: { name: 'Lead' },
      Size: { number: { format: 'dollar' } },
    };
    const changed = await ada.call('PATCH', `/v1/databases/${created.id}`, {
      body: { title: text('Customers'), description: text('All of them'), properties },
    });
    expect(Object.keys(changed.body.properties).sort()).toEqual(['Lead', 'Phase', 'Size']);
    expect(changed.body).toMatchObject({
      title: [{ plain_text: 'Customers' }],
      description: [{ plain_text: 'All of them' }],
    });
    const dropped = await ada.call('PATCH', `/v1/databases/${created.id}`, {
      body: { properties: { Phase: null } },
    });
    expect(Object.keys(dropped.body.properties).sort()).toEqual(['Lead', 'Size']);
  });

  test.each([
    { title: 'without a title column', properties: { A: { number: {} } } },
    { title: 'with two title columns', properties: { A: { title: {} }, B: { title: {} } } },
    { title: 'with an unknown column type', properties: { A: { title: {} }, B: { magic: {} } } },
  ])('are not created $title', async ({ properties }) => {
    const parent = { page_id: await search('Projects', 'page') };
    expect((await ada.call('POST', '/v1/databases', { body: { parent, properties } })).status).toBe(400);
  });

  test('define their schema in data sources in newer versions', async () => {
    const parent = { type: 'page_id', page_id: await search('Projects', 'page') };
    const properties = { Name: { title: {} } };
    expect(
      (await ada.call('POST', '/v1/databases', { headers: V25, body: { parent, properties } })).status,
    ).toBe(400);
    const { body } = await ada.call('POST', '/v1/databases', {
      headers: V25,
      body: { parent, title: text('Two'), initial_data_source: { properties } },
    });
    expect(body).toMatchObject({ object: 'database', data_sources: [{ name: 'Two' }] });
    expect(body.properties).toBeUndefined();
    expect(
      (await ada.call('PATCH', `/v1/databases/${body.id}`, { headers: V25, body: { properties: {} } }))
        .status,
    ).toBe(400);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../src/index.js';
import { type Answer, type Connected, callApi, connect } from './authorized.js';

const V22 = { 'notion-version': '2022-06-28' };
const V25 = { 'notion-version': '2025-09-03' };
const V26 = { 'notion-version': '2026-03-11' };
const UNKNOWN = '11111111-2222-3333-4444-555555555555';

let sandbox: Sandbox;
let ada: Connected;

beforeAll(async () => {
  sandbox = await startSandbox({ connectors: ['workspace'] });
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  await sandbox.reset();
  ada = await connect(sandbox, 'workspace', { user: 'ada', headers: V22 });
});

async function found(query: string, kind: string, headers: Record<string, string> = V22): Promise<string> {
  const { body } = await ada.call('POST', '/v1/search', {
    headers,
    body: { query, filter: { property: 'object', value: kind } },
  });
  return body.results[0].id;
}

const text = (content: string) => [{ text: { content } }];
const paragraph = (content: string) => ({ paragraph: { rich_text: text(content) } });

describe('every request', () => {
  test('carries its id in the header, and in the body of an error', async () => {
    const { headers, body } = await ada.call('GET', `/v1/pages/${UNKNOWN}`);
    expect(headers.get('x-notion-request-id')).toBe(body.request_id);
    expect(body).toMatchObject({ object: 'error', status: 404, code: 'object_not_found' });
    expect(body.message).toBe(
      `Could not find page with ID: ${UNKNOWN}. Make sure the relevant pages and databases are shared with your integration.`,
    );
  });

  test.each([
    {
      title: 'no token',
      request: { token: '', headers: V22 },
      status: 401,
      code: 'unauthorized',
      message: 'API token is invalid.',
    },
    {
      title: 'a wrong token',
      request: { token: 'ntn_wrong', headers: V22 },
      status: 401,
      code: 'unauthorized',
      message: 'API token is invalid.',
    },
    {
      title: 'no version',
      request: { headers: {} },
      status: 400,
      code: 'missing_version',
      message:
        'Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.',
    },
    {
      title: 'an unknown version',
      request: { headers: { 'notion-version': '2020-01-01' } },
      status: 400,
      code: 'validation_error',
    },
  ])('is refused with $title', async ({ request, status, code, message }) => {
    const answer = await callApi(`${sandbox.upstream('workspace').baseUrl}/v1/users/me`, 'GET', {
      token: ada.token,
      ...request,
    });
    expect(answer).toMatchObject({
      status,
      body: { object: 'error', status, code, ...(message === undefined ? {} : { message }) },
    });
  });

  test.each([
    { title: 'an unknown path', method: 'GET', path: '/v1/nothing', headers: V22 },
    {
      title: 'a database query under a version with data sources',
      method: 'POST',
      path: `/v1/databases/${UNKNOWN}/query`,
      headers: V25,
    },
    {
      title: 'a data source under an old version',
      method: 'GET',
      path: `/v1/data_sources/${UNKNOWN}`,
      headers: V22,
    },
  ])('is refused as an invalid URL with $title', async ({ method, path, headers }) => {
    const { status, body } = await ada.call(method, path, { headers });
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 400,
      code: 'invalid_request_url',
      message: 'Invalid request URL.',
    });
  });

  test.each([
    { title: 'broken JSON', body: '{', code: 'invalid_json' },
    { title: 'a body that is no object', body: '[]', code: 'validation_error' },
  ])('is refused with $title', async ({ body, code }) => {
    expect(await ada.call('POST', '/v1/search', { body })).toMatchObject({ status: 400, body: { code } });
  });

  test('is refused when its body is over 500 KB', async () => {
    expect(await ada.call('POST', '/v1/search', { body: { query: 'x'.repeat(512_001) } })).toMatchObject({
      status: 413,
    });
  });

  test('sees only the workspace of the person who approved', async () => {
    const page = await found('Welcome', 'page');
    const grace = await connect(sandbox, 'workspace', { user: 'grace', headers: V22 });
    expect((await grace.call('GET', `/v1/pages/${page}`)).status).toBe(404);
    expect((await grace.call('GET', '/v1/users/me')).body.bot.workspace_name).toBe(
      "Grace Hopper's Workspace",
    );
  });
});

describe('validation', () => {
  const long = 'x'.repeat(2001);
  const many = (count: number) => Array.from({ length: count }, () => paragraph('x'));
  const nested = {
    paragraph: {
      rich_text: [],
      children: [
        {
          paragraph: {
            rich_text: [],
            children: [{ paragraph: { rich_text: [], children: [paragraph('x')] } }],
          },
        },
      ],
    },
  };

  test.each([
    {
      title: 'an id that is no uuid',
      method: 'GET',
      path: '/v1/pages/abc',
      message: 'path failed validation: path.page_id should be a valid uuid, instead was `"abc"`.',
    },
    {
      title: 'more than 100 children',
      path: '/children',
      body: { children: many(131) },
      message: 'body failed validation: body.children.length should be ≤ `100`, instead was `131`.',
    },
    {
      title: 'more than 2000 characters',
      path: '/children',
      body: { children: [paragraph(long)] },
      message:
        'body failed validation: body.children[0].paragraph.rich_text[0].text.content.length should be ≤ `2000`, instead was `2001`.',
    },
    {
      title: 'more than 100 items of rich text',
      path: '/children',
      body: { children: [{ paragraph: { rich_text: Array.from({ length: 101 }, () => text('x')[0]) } }] },
      message:
        'body failed validation: body.children[0].paragraph.rich_text.length should be ≤ `100`, instead was `101`.',
    },
    {
      title: 'three levels of children',
      path: '/children',
      body: { children: [nested] },
      message: /children\[0\]\.paragraph\.children should be not present/,
    },
    {
      title: 'an unknown key',
      path: '/children',
      body: { children: [], extra: 1 },
      message: 'body failed validation: body.extra should be not present, instead was `1`.',
    },
    {
      title: 'no children',
      path: '/children',
      body: {},
      message: 'body failed validation: body.children should be defined, instead was `undefined`.',
    },
    {
      title: 'an unknown block',
      path: '/children',
      body: { children: [{ type: 'song', song: {} }] },
      message: /^body failed validation\. Fix one:\nbody\.children\[0\]\.paragraph should be defined/,
    },
    {
      title: 'code without a language',
      path: '/children',
      body: { children: [{ code: { rich_text: [] } }] },
      message: /code\.language should be defined/,
    },
    {
      title: 'an unknown language',
      path: '/children',
      body: { children: [{ code: { rich_text: [], language: 'js' } }] },
      message: /code\.language should be `"abap"`/,
    },
    {
      title: 'position under an old version',
      path: '/children',
      body: { children: [], position: { type: 'start' } },
      message: /body\.position should be not present/,
    },
    {
      title: 'after under the newest version',
      path: '/children',
      headers: V26,
      body: { children: [], after: UNKNOWN },
      message: /body\.after should be not present/,
    },
  ])('refuses $title', async ({ method = 'PATCH', path, body, message, headers = V22 }) => {
    const page = await found('Welcome', 'page');
    const url = path === '/children' ? `/v1/blocks/${page}/children` : path;
    const answer = await ada.call(method, url, { headers, ...(body === undefined ? {} : { body }) });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_error' } });
    if (typeof message === 'string') expect(answer.body.message).toBe(message);
    else expect(answer.body.message).toMatch(message);
  });

  test.each([
    { size: '0', message: 'query failed validation: query.page_size should be ≥ `1`, instead was `0`.' },
    {
      size: '101',
      message: 'query failed validation: query.page_size should be ≤ `100`, instead was `101`.',
    },
    {
      size: 'ten',
      message: 'query failed validation: query.page_size should be a number, instead was `"ten"`.',
    },
  ])('refuses a page size of $size', async ({ size, message }) => {
    expect((await ada.call('GET', `/v1/users?page_size=${size}`)).body.message).toBe(message);
  });
});

describe('blocks', () => {
  let page: string;
  beforeEach(async () => {
    page = await found('Meeting notes', 'page');
  });
  const children = async (query = ''): Promise<Answer> =>
    ada.call('GET', `/v1/blocks/${page}/children${query}`);

  test('that were appended are read back, with what the service adds', async () => {
    const added = await ada.call('PATCH', `/v1/blocks/${page}/children`, {
      body: { children: [paragraph('One'), { divider: {} }] },
    });
    expect(added.body).toMatchObject({
      object: 'list',
      type: 'block',
      results: [
        {
          type: 'paragraph',
          parent: { type: 'page_id', page_id: page },
          has_children: false,
          archived: false,
          in_trash: false,
        },
        { type: 'divider' },
      ],
    });
    const { body } = await children();
    expect(body.results.at(-2).paragraph).toEqual({
      color: 'default',
      rich_text: [
        {
          type: 'text',
          text: { content: 'One', link: null },
          plain_text: 'One',
          href: null,
          annotations: {
            bold: false,
            italic: false,
            strikethrough: false,
            underline: false,
            code: false,
            color: 'default',
          },
        },
      ],
    });
  });

  test('are listed in pages, one level deep', async () => {
    const first = (await children('?page_size=3')).body;
    expect(first).toMatchObject({ has_more: true, type: 'block', block: {} });
    const second = (await children(`?page_size=3&start_cursor=${first.next_cursor}`)).body;
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect([...first.results, ...second.results].map(({ type }: { type: string }) => type)).toEqual([
      'heading_2',
      'numbered_list_item',
      'numbered_list_item',
      'quote',
    ]);
    expect((await children('?start_cursor=nowhere')).status).toBe(400);
  });

  test('can be put after another one, or first under the newest version', async () => {
    const [heading] = (await children()).body.results;
    await ada.call('PATCH', `/v1/blocks/${page}/children`, {
      body: { children: [paragraph('after')], after: heading.id },
    });
    await ada.call('PATCH', `/v1/blocks/${page}/children`, {
      headers: V26,
      body: { children: [paragraph('first')], position: { type: 'start' } },
    });
    const types = (await children()).body.results.map(
      ({ type, paragraph: content }: Record<string, { rich_text: { plain_text: string }[] }>) =>
        content?.rich_text[0]?.plain_text ?? type,
    );
    expect(types.slice(0, 3)).toEqual(['first', 'heading_2', 'after']);
  });

  test('keep what an update leaves out, and lose their old text', async () => {
    const { body } = await ada.call('PATCH', `/v1/blocks/${page}/children`, {
      body: { children: [{ code: { rich_text: text('a'), language: 'python' } }] },
    });
    const updated = await ada.call('PATCH', `/v1/blocks/${body.results[0].id}`, {
      body: { code: { rich_text: text('b') } },
    });
    expect(updated.body.code).toMatchObject({ language: 'python', rich_text: [{ plain_text: 'b' }] });
  });

  test('refuse an update of another type', async () => {
    const [heading] = (await children()).body.results;
    const answer = await ada.call('PATCH', `/v1/blocks/${heading.id}`, { body: paragraph('x') });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_error' } });
  });

  test('go to the trash, cannot be changed there, and come back', async () => {
    const [heading] = (await children()).body.results;
    expect((await ada.call('DELETE', `/v1/blocks/${heading.id}`)).body).toMatchObject({
      archived: true,
      in_trash: true,
    });
    expect((await children()).body.results).toHaveLength(3);
    expect((await ada.call('DELETE', `/v1/blocks/${heading.id}`)).status).toBe(400);
    expect(
      (await ada.call('PATCH', `/v1/blocks/${heading.id}`, { body: { heading_2: { rich_text: [] } } }))
        .status,
    ).toBe(404);
    expect(
      (await ada.call('PATCH', `/v1/blocks/${heading.id}`, { body: { archived: false } })).body.in_trash,
    ).toBe(false);
    expect((await children()).body.results).toHaveLength(4);
  });

  test('that cannot hold others refuse children', async () => {
    const { body } = await ada.call('PATCH', `/v1/blocks/${page}/children`, {
      body: { children: [{ divider: {} }] },
    });
    const answer = await ada.call('PATCH', `/v1/blocks/${body.results[0].id}/children`, {
      body: { children: [paragraph('x')] },
    });
    expect(answer).toMatchObject({ status: 400, body: { message: 'Block does not support children.' } });
  });

  test('of a page include its child pages; deleting one trashes the page', async () => {
    const created = await ada.call('POST', '/v1/pages', {
      body: { parent: { page_id: page }, properties: { title: text('Below') } },
    });
    expect((await children()).body.results.at(-1)).toMatchObject({
      type: 'child_page',
      child_page: { title: 'Below' },
      id: created.body.id,
    });
    await ada.call('DELETE', `/v1/blocks/${created.body.id}`);
    expect((await ada.call('GET', `/v1/pages/${created.body.id}`)).body).toMatchObject({ in_trash: true });
  });
});

describe('pages', () => {
  test('take children, icon and cover', async () => {
    const parent = await found('Projects', 'page');
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
      title: 'no parent',
      body: { properties: {} },
      message: 'body failed validation: body.parent should be defined, instead was `undefined`.',
    },
    {
      title: 'two parents',
      body: { parent: { page_id: UNKNOWN, database_id: UNKNOWN } },
      message: /should be not present/,
    },
    {
      title: 'a type that is not the parent',
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
      title: 'a column under a page',
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
      title: 'a bad date',
      parent: 'row',
      body: { properties: { Due: { date: { start: 'soon' } } } },
      message:
        'body failed validation: body.properties.Due.date.start should be a valid ISO 8601 date string, instead was `"soon"`.',
    },
  ])('refuse $title', async ({ parent, body, headers = V22, status = 400, message }) => {
    const parents: Record<string, () => Promise<unknown>> = {
      page: async () => ({ page_id: await found('Projects', 'page') }),
      row: async () => ({ database_id: await found('Tasks', 'database') }),
      database: async () => ({ data_source_id: await found('Tasks', 'database') }),
    };
    const under = parent === undefined ? {} : { parent: await parents[parent]?.() };
    const answer = await ada.call('POST', '/v1/pages', { headers, body: { ...under, ...body } });
    expect(answer.status).toBe(status);
    if (typeof message === 'string') expect(answer.body.message).toBe(message);
    else expect(answer.body.message).toMatch(message);
  });
});

describe('databases', () => {
  let tasks: string;
  beforeEach(async () => {
    tasks = await found('Tasks', 'database');
  });
  const query = async (body: object, search = ''): Promise<Answer> =>
    ada.call('POST', `/v1/databases/${tasks}/query${search}`, { body });
  const names = (answer: Answer): string[] =>
    answer.body.results.map(
      (row: { properties: { Name: { title: { plain_text: string }[] } } }) =>
        row.properties.Name.title[0]?.plain_text,
    );

  test('get rows, which a query finds', async () => {
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
    const found = await query({ filter: { property: 'Name', title: { equals: 'Ship it' } } });
    expect(found.body).toMatchObject({
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
      title: 'both',
      filter: {
        and: [
          { property: 'Tags', multi_select: { contains: 'api' } },
          { property: 'Status', status: { does_not_equal: 'Done' } },
        ],
      },
      rows: ['Fix the login'],
    },
    {
      title: 'either, two levels deep',
      filter: {
        or: [
          { and: [{ property: 'Priority', select: { equals: 'Low' } }] },
          { property: 'Name', title: { starts_with: 'Write' } },
        ],
      },
      rows: ['Write the guide', 'Measure the proxy'],
    },
    {
      title: 'when a row was made',
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
      title: 'a filter of another type',
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
      title: 'a cursor of null',
      body: { start_cursor: null },
      message: /body\.start_cursor should be a string/,
    },
    {
      title: 'a page of 101',
      body: { page_size: 101 },
      message: 'body failed validation: body.page_size should be ≤ `100`, instead was `101`.',
    },
  ])('refuse a query with $title', async ({ body, message }) => {
    const answer = await query(body);
    expect(answer.status).toBe(400);
    if (typeof message === 'string') expect(answer.body.message).toBe(message);
    else expect(answer.body.message).toMatch(message);
  });

  test('are sorted by several columns, empty cells last, in pages', async () => {
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

  test('answer only the properties that are asked for, by their decoded id', async () => {
    const { body } = await ada.call('GET', `/v1/databases/${tasks}`);
    const { id } = body.properties.Tags;
    expect(id).toBe('fk%5EY');
    const keys = async (value: string) =>
      Object.keys((await query({}, `?filter_properties=${value}`)).body.results[0].properties);
    expect(await keys(id)).toEqual(['Tags']);
    expect(await keys(encodeURIComponent(id))).toEqual([]);
    expect(await keys(`${id}&filter_properties=title`)).toEqual(['Name', 'Tags']);
  });

  test('are created and changed: columns come, get another name, and go', async () => {
    const parent = await found('Projects', 'page');
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
    { title: 'with two', properties: { A: { title: {} }, B: { title: {} } } },
    { title: 'with an unknown column type', properties: { A: { title: {} }, B: { magic: {} } } },
  ])('are not created $title', async ({ properties }) => {
    const parent = { page_id: await found('Projects', 'page') };
    expect((await ada.call('POST', '/v1/databases', { body: { parent, properties } })).status).toBe(400);
  });

  test('take their schema elsewhere under a version with data sources', async () => {
    const parent = { type: 'page_id', page_id: await found('Projects', 'page') };
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

describe('data sources', () => {
  async function library(): Promise<string> {
    const source = await found('Books', 'data_source', V25);
    const { body } = await ada.call('GET', `/v1/data_sources/${source}`, { headers: V25 });
    return body.parent.database_id;
  }

  test('hold the schema and the rows', async () => {
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
    { title: 'given a row', method: 'POST', path: () => '/v1/pages', row: true },
    {
      title: 'given a row under the new version',
      method: 'POST',
      path: () => '/v1/pages',
      row: true,
      headers: V25,
    },
  ])(
    'of which a database has several make it unusable when it is $title',
    async ({ method, path, body, row, headers = V22 }) => {
      const database = await library();
      const sent = row === true ? { parent: { database_id: database } } : body;
      const answer = await ada.call(method, path(database), {
        headers,
        ...(sent === undefined ? {} : { body: sent }),
      });
      expect(answer).toMatchObject({
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
      expect(answer.body.additional_data.child_data_source_ids).toHaveLength(2);
    },
  );

  test('are not found by the id of a database, nor the reverse', async () => {
    const database = await library();
    expect((await ada.call('GET', `/v1/data_sources/${database}`, { headers: V25 })).status).toBe(404);
    const source = await found('Books', 'data_source', V25);
    expect((await ada.call('GET', `/v1/databases/${source}`, { headers: V25 })).status).toBe(404);
  });
});

describe('search', () => {
  test('looks at titles only, newest change first', async () => {
    const { body } = await ada.call('POST', '/v1/search', { body: { query: 'release' } });
    expect(body.results).toHaveLength(1);
    await sandbox.clock.advance(60_000);
    const page = await found('Meeting notes', 'page');
    await ada.call('PATCH', `/v1/pages/${page}`, { body: { icon: { emoji: '📝' } } });
    expect((await ada.call('POST', '/v1/search', { body: {} })).body.results[0].id).toBe(page);
  });

  test('leaves out a database with several data sources under an old version', async () => {
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
      title: 'sorting by creation',
      body: { sort: { direction: 'ascending', timestamp: 'created_time' } },
      message:
        'body failed validation: body.sort.timestamp should be `"last_edited_time"`, instead was `"created_time"`.',
    },
    {
      title: 'half a sort',
      body: { sort: { direction: 'ascending' } },
      message: 'body failed validation: body.sort.timestamp should be defined, instead was `undefined`.',
    },
    {
      title: 'data sources under an old version',
      body: { filter: { property: 'object', value: 'data_source' } },
      message:
        'body failed validation: body.filter.value should be `"page"` or `"database"`, instead was `"data_source"`.',
    },
  ])('refuses $title', async ({ body, message }) => {
    expect((await ada.call('POST', '/v1/search', { body })).body.message).toBe(message);
  });
});

describe('comments and users', () => {
  test('a comment starts a thread, which takes replies in order', async () => {
    const page = await found('Welcome', 'page');
    const { body: first } = await ada.call('POST', '/v1/comments', {
      body: { parent: { page_id: page }, rich_text: text('First') },
    });
    expect(first).toMatchObject({
      object: 'comment',
      parent: { type: 'page_id', page_id: page },
      display_name: { type: 'integration', resolved_name: 'Test app' },
    });
    await ada.call('POST', '/v1/comments', {
      body: { discussion_id: first.discussion_id, rich_text: text('Second') },
    });
    const { body } = await ada.call('GET', `/v1/comments?block_id=${page}`);
    const thread = body.results.filter(
      ({ discussion_id }: { discussion_id: string }) => discussion_id === first.discussion_id,
    );
    expect(
      thread.map(({ rich_text }: { rich_text: { plain_text: string }[] }) => rich_text[0]?.plain_text),
    ).toEqual(['First', 'Second']);
    expect((await ada.call('GET', `/v1/comments/${first.id}`)).body.id).toBe(first.id);
  });

  test.each([
    {
      title: 'both a parent and a thread',
      body: { parent: { page_id: UNKNOWN }, discussion_id: UNKNOWN, rich_text: [] },
      status: 400,
    },
    { title: 'neither', body: { rich_text: [] }, status: 400 },
    { title: 'a wrapper', body: { comment: { rich_text: [] } }, status: 400 },
    { title: 'an unknown thread', body: { discussion_id: UNKNOWN, rich_text: [] }, status: 404 },
  ])('a comment with $title is refused', async ({ body, status }) => {
    expect((await ada.call('POST', '/v1/comments', { body })).status).toBe(status);
  });

  test('users are the people and the integration itself', async () => {
    const { body } = await ada.call('GET', '/v1/users');
    expect(body.results.map(({ name, type }: Record<string, string>) => [name, type])).toEqual([
      ['Ada Lovelace', 'person'],
      ['Grace Hopper', 'person'],
      ['Test app', 'bot'],
    ]);
    expect((await ada.call('GET', '/v1/users/me')).body).toMatchObject({
      object: 'user',
      type: 'bot',
      bot: { owner: { type: 'user' } },
    });
  });

  test('under the newest version nothing is archived, only in the trash', async () => {
    const page = await found('Welcome', 'page');
    const { body } = await ada.call('GET', `/v1/pages/${page}`, { headers: V26 });
    expect(body).toMatchObject({ in_trash: false });
    expect(body).not.toHaveProperty('archived');
    expect(
      (await ada.call('PATCH', `/v1/pages/${page}`, { headers: V26, body: { archived: true } })).status,
    ).toBe(400);
  });
});

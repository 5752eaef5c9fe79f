import { describe, expect, test } from 'vitest';
import { ada, paragraph, sandbox, search, text, UNKNOWN, useWorkspace, V22, V25 } from './setup.js';

useWorkspace();

const titled = (title: string) => ({ title: { title: text(title) } });
const post = async (path: string, body: object, headers = V25) => ada.call('POST', path, { body, headers });
const patch = async (path: string, body: object, headers = V25) => ada.call('PATCH', path, { body, headers });
const countOf = async (query: string) => (await post('/v1/search', { query })).body.results.length;
const many = (count: number) => Array.from({ length: count }, () => paragraph('x'));
const row = (cells: number) => ({ table_row: { cells: Array(cells).fill(text('x')) } });
const column = (count: number) => ({ column: { children: many(count) } });
const tasks = () => search('Tasks', 'data_source', V25);

describe('a refused request', () => {
  test.each([
    {
      title: 'more than 1000 blocks',
      body: { children: Array(11).fill({ toggle: { rich_text: [], children: many(100) } }) },
    },
    {
      title: 'a position after a missing block',
      body: { position: { type: 'after_block', after_block: { id: UNKNOWN } } },
    },
    { title: 'a file that was not uploaded', body: { icon: { file_upload: { id: UNKNOWN } } }, status: 404 },
  ])('creates no page with $title', async ({ body, status = 400 }) => {
    const parent = { page_id: await search('Projects', 'page') };
    const response = await post('/v1/pages', { parent, properties: titled('Leftover'), ...body });

    expect(response.status).toBe(status);
    expect(await countOf('Leftover')).toBe(0);
  });

  test('adds no options if another property is invalid', async () => {
    const id = await tasks();
    const options = async () =>
      (await ada.call('GET', `/v1/data_sources/${id}`, { headers: V25 })).body.properties.Priority.select
        .options.length;
    const before = await options();
    const properties = { Priority: { select: { name: 'Fresh' } }, Estimate: { rich_text: text('x') } };

    expect((await post('/v1/pages', { parent: { data_source_id: id }, properties })).status).toBe(400);
    expect(await options()).toBe(before);
  });

  test('adds no columns if the second relation is invalid', async () => {
    const target = await tasks();
    const columns = async () =>
      Object.keys((await ada.call('GET', `/v1/data_sources/${target}`, { headers: V25 })).body.properties);
    const before = await columns();
    const relation = (data_source_id: string) => ({ relation: { data_source_id, dual_property: {} } });
    const properties = { Name: { title: {} }, One: relation(target), Two: relation(UNKNOWN) };
    const parent = { type: 'page_id', page_id: await search('Projects', 'page') };

    expect((await post('/v1/databases', { parent, initial_data_source: { properties } })).status).toBe(404);
    expect(await columns()).toEqual(before);
  });
});

describe('the trash', () => {
  const trashed = async () => {
    const parent = { page_id: await search('Projects', 'page') };
    const { body } = await post('/v1/pages', { parent, properties: titled('Deleted'), children: many(1) });
    const [block] = (await ada.call('GET', `/v1/blocks/${body.id}/children`)).body.results;
    await patch(`/v1/pages/${body.id}`, { in_trash: true });
    return { page: body.id, block: block.id };
  };

  test.each([
    {
      title: 'new children of its blocks',
      method: 'PATCH',
      path: '/v1/blocks/BLOCK/children',
      body: { children: [] },
    },
    { title: 'changes of its blocks', method: 'PATCH', path: '/v1/blocks/BLOCK', body: paragraph('new') },
    { title: 'deletions of its blocks', method: 'DELETE', path: '/v1/blocks/BLOCK' },
    { title: 'new subpages', method: 'POST', path: '/v1/pages', body: { parent: { page_id: 'PAGE' } } },
    {
      title: 'new comments',
      method: 'POST',
      path: '/v1/comments',
      body: { parent: { page_id: 'PAGE' }, rich_text: text('x') },
    },
    {
      title: 'Markdown changes',
      method: 'PATCH',
      path: '/v1/pages/PAGE/markdown',
      body: { type: 'insert_content', insert_content: { content: 'x' } },
    },
  ])('protects a page from $title', async ({ method, path, body }) => {
    const { page, block } = await trashed();
    const fill = (template: string) => template.replace('PAGE', page).replace('BLOCK', block);
    const sent = body === undefined ? {} : { body: fill(JSON.stringify(body)) };
    const response = await ada.call(method, fill(path), { headers: V25, ...sent });

    expect(response).toMatchObject({ status: 400, body: { message: expect.stringMatching(/archived/) } });
  });

  test('returns trashed rows only on request', async () => {
    const id = await tasks();
    const query = async (body: object) => (await post(`/v1/data_sources/${id}/query`, body)).body.results;
    const [first, ...rest] = await query({});
    await patch(`/v1/pages/${first.id}`, { in_trash: true });

    expect((await query({ in_trash: true })).map((page: { id: string }) => page.id)).toEqual([first.id]);
    expect((await query({ archived: true })).map((page: { id: string }) => page.id)).toEqual([first.id]);
    expect(await query({ in_trash: false })).toHaveLength(rest.length);
    expect((await post('/v1/search', { filter: { in_trash: true } })).body.results).toHaveLength(1);
  });

  test('protects a database from new rows', async () => {
    const database_id = await search('Tasks', 'database');
    await ada.call('DELETE', `/v1/blocks/${database_id}`);

    expect((await post('/v1/pages', { parent: { database_id }, properties: {} }, V22)).status).toBe(400);
  });
});

describe('blocks of the current API version', () => {
  test.each([
    { title: 'a heading of the fourth level', block: { heading_4: { rich_text: text('x') } } },
    { title: 'a tab', block: { tab: { children: [paragraph('x')] } } },
    { title: 'a paragraph with an icon', block: { paragraph: { rich_text: [], icon: { emoji: '🎉' } } } },
    {
      title: 'columns with nested blocks',
      block: {
        column_list: {
          children: [
            column(1),
            { column: { width_ratio: 0.5, children: [{ toggle: { rich_text: [], children: many(1) } }] } },
          ],
        },
      },
    },
    { title: 'a full table', block: { table: { table_width: 2, children: [row(2)] } } },
  ])('accept $title', async ({ block }) => {
    const page = await search('Projects', 'page');

    expect((await patch(`/v1/blocks/${page}/children`, { children: [block] })).status).toBe(200);
  });

  test.each([
    { title: 'a list with one column', block: { column_list: { children: [column(1)] } } },
    { title: 'an empty column', block: { column_list: { children: [column(0), column(1)] } } },
    {
      title: 'a paragraph next to columns',
      block: { column_list: { children: [column(1), paragraph('x')] } },
    },
    { title: 'a column outside a column list', block: column(1) },
    { title: 'a row outside a table', block: row(1) },
    { title: 'a table without rows', block: { table: { table_width: 1, children: [] } } },
    { title: 'a row with too few cells', block: { table: { table_width: 2, children: [row(1)] } } },
    { title: 'an unknown file upload', block: { image: { file_upload: { id: UNKNOWN } } }, status: 404 },
    { title: 'an icon that is not an emoji', block: { callout: { rich_text: [], icon: { emoji: 'xx' } } } },
  ])('refuse $title', async ({ block, status = 400 }) => {
    const page = await search('Projects', 'page');

    expect((await patch(`/v1/blocks/${page}/children`, { children: [block] })).status).toBe(status);
  });
});

describe('queries of the current API version', () => {
  test.each([
    { title: 'the user alias "me"', filter: { property: 'Owner', people: { contains: 'me' } } },
    { title: 'any of two options', filter: { property: 'Priority', select: { equals: ['High', 'Low'] } } },
    { title: 'relative dates', filter: { property: 'Created', created_time: { on_or_after: 'yesterday' } } },
  ])('accept $title', async ({ filter }) => {
    const { status, body } = await post(`/v1/data_sources/${await tasks()}/query`, {
      filter,
      start_cursor: null,
    });

    expect(status).toBe(200);
    expect(body.results.length).toBeGreaterThan(0);
  });

  test('accept sorting by relevance and a null cursor only in newer versions', async () => {
    const body = { sort: { property: 'relevance' }, start_cursor: null };

    expect((await post('/v1/search', body)).status).toBe(200);
    expect((await post('/v1/search', body, V22)).status).toBe(400);
  });
});

describe('parents of pages and databases', () => {
  test('can be the workspace itself', async () => {
    const workspace = { type: 'workspace', workspace: true };
    const page = await post('/v1/pages', { parent: workspace, properties: titled('Top') });
    const database = await post('/v1/databases', { parent: workspace });

    expect(page.body.parent).toEqual(workspace);
    expect(database.body.parent).toEqual(workspace);
    expect((await post('/v1/pages', { properties: titled('Top') })).body.parent).toEqual(workspace);
  });

  test('change when a database or a data source is moved', async () => {
    const page_id = await search('Projects', 'page');
    const database_id = await search('Tasks', 'database');
    const { body } = await post('/v1/databases', { parent: { type: 'workspace', workspace: true } });
    const parent = { type: 'page_id', page_id };
    const moved = await patch(`/v1/databases/${body.id}`, { parent });
    const source = await patch(`/v1/data_sources/${body.data_sources[0].id}`, {
      parent: { type: 'database_id', database_id },
    });

    expect(moved.body.parent).toEqual(parent);
    expect(source.body.parent.database_id).toBe(database_id);
  });

  test('require properties for a row in the old version', async () => {
    const parent = { database_id: await search('Tasks', 'database') };

    expect((await post('/v1/pages', { parent }, V22)).body.message).toMatch(
      /body\.properties should be defined/,
    );
  });
});

describe('file uploads', () => {
  const upload = async (content_type: string) =>
    (await post('/v1/file_uploads', { filename: 'a', content_type })).body.id;
  const send = async (id: string) => {
    const form = new FormData();
    form.set('file', new Blob(['x'], { type: 'image/png' }), 'a');
    const headers = { ...V25, authorization: `Bearer ${ada.token}` };
    const url = `${sandbox.upstream('workspace').baseUrl}/v1/file_uploads/${id}/send`;
    return (await fetch(url, { method: 'POST', headers, body: form })).status;
  };

  test.each([
    { type: 'image/png', category: 'image' },
    { type: 'application/pdf', category: 'pdf' },
    { type: 'text/plain', category: 'productivity' },
  ])('can be attached to comments only after their content is sent: $type', async ({ type, category }) => {
    const file_upload_id = await upload(type);
    const parent = { page_id: await search('Projects', 'page') };
    const comment = { parent, rich_text: text('See'), attachments: [{ file_upload_id }] };
    const early = await post('/v1/comments', comment);

    expect(early).toMatchObject({ status: 400, body: { message: expect.stringMatching(/`pending`/) } });
    expect(await send(file_upload_id)).toBe(200);
    expect((await post('/v1/comments', comment)).body.attachments).toMatchObject([{ category }]);
  });
});

describe('requests of the current API version', () => {
  test.each(['filter_properties', 'filter_properties[]'])('select properties with %s', async (name) => {
    const id = await tasks();
    const [first] = (await post(`/v1/data_sources/${id}/query`, { page_size: 1 })).body.results;
    const path = `/v1/pages/${first.id}?${name}=title`;
    const both = [await ada.call('GET', path, { headers: V25 }), await patch(path, {})];

    for (const { body } of both) expect(Object.keys(body.properties)).toEqual(['Name']);
  });

  test('are refused without a JSON content type', async () => {
    const headers = { ...V22, 'content-type': 'text/plain' };

    expect(await ada.call('POST', '/v1/search', { body: {}, headers })).toMatchObject({
      status: 400,
      body: { code: 'invalid_json' },
    });
  });

  test.each(['formula', 'rollup', 'place'])(
    'return 501 for the property type %s, which the sandbox does not emulate',
    async (type) => {
      expect(
        (await patch(`/v1/data_sources/${await tasks()}`, { properties: { New: { [type]: {} } } })).status,
      ).toBe(501);
    },
  );

  test('are refused with a date that does not exist', async () => {
    const properties = { Due: { date: { start: '2026-02-30' } } };

    expect((await post('/v1/pages', { parent: { data_source_id: await tasks() }, properties })).status).toBe(
      400,
    );
  });
});

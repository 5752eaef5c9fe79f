import { type Workspace, workspace } from '@svc/workspace';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectAccount, type Service, startService } from '../../support/service/service.js';
import { recordTools, type ToolRecord } from '../../support/tools/record-tools.js';
import { richText, titled } from '../../support/tools/rich-text.js';

let service: Service;
let record: ToolRecord;
let tools: Workspace;
let parent: string;

const ids = (items: readonly { readonly id: string }[] | undefined) => items?.map(({ id }) => id);

beforeAll(async () => {
  service = await startService({ connectors: ['workspace'] });
  record = recordTools(service, 'workspace');
  tools = workspace(record, await connectAccount(service, 'workspace'));
  const { data } = await tools.pagesSearch({ query: 'Projects' });
  parent = data.results?.[0]?.id ?? '';
});

afterAll(() => service.stop());

const newPage = async (name: string) =>
  (await tools.pageCreate({ parent_page_id: parent, properties: titled(name) })).data;

describe('the page tools', () => {
  test('return a created page by its id and in both searches', async () => {
    const { data: created } = await tools.pageCreate({
      parent_page_id: parent,
      properties: titled('Voyage'),
      icon: { type: 'emoji', emoji: '⛵' },
    });

    const { data: fetched } = await tools.pageFetch({ page_id: created.id });
    const { data: pages } = await tools.pagesSearch({ query: 'voyage', sort_direction: 'ascending' });
    const { data: content } = await tools.contentSearch({ query: 'voyage' });

    expect(fetched).toEqual(created);
    expect(fetched).toMatchObject({ parent: { page_id: parent }, icon: { emoji: '⛵' } });
    expect(ids(pages.results)).toEqual([created.id]);
    expect(ids(content.results)).toEqual([created.id]);
  });

  test('change a page, and move it to the trash and back', async () => {
    const page = await newPage('Draft');

    await tools.pageUpdate({
      page_id: page.id,
      properties: titled('Final'),
      icon: { type: 'emoji', emoji: '✅' },
    });
    await tools.pageUpdate({ page_id: page.id, archived: true });
    const { data: hidden } = await tools.pagesSearch({ query: 'Final' });
    await tools.pageUpdate({ page_id: page.id, archived: false, icon: null });
    const { data: fetched } = await tools.pageFetch({ page_id: page.id });

    expect(hidden.results).toEqual([]);
    expect(fetched).toMatchObject({ in_trash: false, icon: null });
    expect(fetched.properties).toMatchObject({ title: { title: [{ plain_text: 'Final' }] } });
  });
});

const markdownOf = async (page: string) => (await tools.pageReadMarkdown({ page_id: page })).data.markdown;

test('create a page from Markdown, append to it, and replace its content', async () => {
  const { data: page } = await tools.pageWriteMarkdown({
    parent_page_id: parent,
    markdown: '# Protocol\n## Agenda\n- [ ] Book a room',
  });
  expect(await markdownOf(page.id)).toBe('## Agenda\n- [ ] Book a room');

  await tools.pageWriteMarkdown({ page_id: page.id, mode: 'append', markdown: '- [x] Invite' });
  expect(await markdownOf(page.id)).toBe('## Agenda\n- [ ] Book a room\n- [x] Invite');

  await tools.pageWriteMarkdown({ page_id: page.id, mode: 'replace', markdown: 'Cancelled' });
  expect(await markdownOf(page.id)).toBe('Cancelled');
  expect((await tools.pageFetch({ page_id: page.id })).data.properties).toMatchObject({
    title: { title: [{ plain_text: 'Protocol' }] },
  });
});

test('move a page under another page', async () => {
  const [page, target] = [await newPage('Moved'), await newPage('Archive')];

  const { data: moved } = await tools.pageMove({ page_id: page.id, parent_page_id: target.id });
  const { data: children } = await tools.blockChildrenList({ block_id: target.id });

  expect(moved.parent).toMatchObject({ page_id: target.id });
  expect(children.results?.map(({ text }) => text)).toEqual(['Moved']);
});

test('append an uploaded picture to a page', async () => {
  const page = await newPage('Pictures');
  const { data: upload } = await tools.fileUpload({
    filename: 'dot.png',
    content_type: 'image/png',
    base64: 'iVBORw0KGgo=',
    page_id: page.id,
  });
  const { data: children } = await tools.blockChildrenList({ block_id: page.id });

  expect(upload).toMatchObject({ status: 'uploaded', content_length: 8, block: { type: 'image' } });
  expect(children.results).toMatchObject([{ id: upload.block_id, type: 'image' }]);
});

test('duplicate a page with its title, icon and content', async () => {
  const { data: page } = await tools.pageCreate({
    parent_page_id: parent,
    properties: titled('Template'),
    icon: { type: 'emoji', emoji: '📌' },
    child_blocks: [{ type: 'heading_2', text: 'Agenda' }],
  });

  const { data: copy } = await tools.pageDuplicate({ page_id: page.id });

  expect(copy).toMatchObject({
    page: {
      parent: { page_id: parent },
      icon: { emoji: '📌' },
      properties: { title: { title: [{ plain_text: 'Template' }] } },
    },
    not_copied: [],
  });
  expect(copy.page.id).not.toBe(page.id);
  expect(await markdownOf(copy.page.id)).toBe('## Agenda');
});

test('list the blocks that were appended, changed and deleted', async () => {
  const page = await newPage('Blocks');
  const { data: appended } = await tools.blocksAppend({
    block_id: page.id,
    blocks: [
      { type: 'heading_1', text: 'Launch' },
      { type: 'code', text: 'npm start', language: 'sh' },
      { type: 'divider' },
    ],
  });
  const [heading, code, divider] = ids(appended.results) ?? [];

  await tools.blockUpdate({ block_id: `${heading}`, type: 'heading_1', text: 'Landing' });
  const { data: deleted } = await tools.blockDelete({ block_id: `${divider}` });
  const { data: children } = await tools.blockChildrenList({ block_id: page.id });

  expect(deleted).toMatchObject({ id: divider, in_trash: true });
  expect(children.results?.map(({ id, text }) => [id, text])).toEqual([
    [heading, 'Landing'],
    [code, 'npm start'],
  ]);
  expect(children.results?.[1]).toMatchObject({ type: 'code', code: { language: 'shell' } });
});

test('a thread contains its comments and replies', async () => {
  const page = await newPage('Discussed');
  const { data: first } = await tools.commentCreate({
    parent: { page_id: page.id },
    comment: { rich_text: richText('Who writes it?') },
  });
  const { data: reply } = await tools.commentCreate({
    discussion_id: `${first.discussion_id}`,
    comment: { rich_text: richText('I do.') },
  });

  const { data: fetched } = await tools.commentFetch({ comment_id: reply.id });
  const { data: list } = await tools.commentsList({ block_id: page.id });

  expect(fetched).toEqual(reply);
  expect(fetched.rich_text).toMatchObject([{ plain_text: 'I do.' }]);
  expect(list.results).toEqual([first, reply]);
});

test('a comment can be changed and deleted', async () => {
  const page = await newPage('Corrected');
  const write = (text: string) => ({ rich_text: richText(text) });
  const { data: first } = await tools.commentCreate({
    parent: { page_id: page.id },
    comment: write('Yse'),
  });

  await tools.commentUpdate({ comment_id: first.id, comment: write('Yes') });
  const { data: changed } = await tools.commentsList({ block_id: page.id });
  await tools.commentDelete({ comment_id: first.id });
  const { data: left } = await tools.commentsList({ block_id: page.id });

  expect(changed.results).toMatchObject([{ id: first.id, rich_text: [{ plain_text: 'Yes' }] }]);
  expect(left.results).toEqual([]);
});

describe('the database tools', () => {
  const create = async (name: string) => {
    const { data } = await tools.databaseCreate({
      parent: { page_id: parent },
      title: richText(name),
      properties: {
        Task: { title: {} },
        State: { select: { options: [{ name: 'Open' }] } },
        Effort: { number: {} },
      },
    });
    return data;
  };
  const insert = async (databaseId: string, name: string, effort: number) =>
    (
      await tools.databaseInsertRow({
        database_id: databaseId,
        properties: { ...titled(name), State: { select: { name: 'Open' } }, Effort: { number: effort } },
      })
    ).data;

  test('query rows with a filter and a sort order', async () => {
    const database = await create('Launch plan');
    const small = await insert(database.id, 'Announce', 1);
    const large = await insert(database.id, 'Build', 8);
    await insert(database.id, 'Celebrate', 13);

    const { data: rows } = await tools.databaseQuery({
      database_id: database.id,
      filter: { property: 'Effort', number: { less_than: 10 } },
      sorts: [{ property: 'Effort', direction: 'descending' }],
    });

    expect(ids(rows.results)).toEqual([large.id, small.id]);
  });

  test('return only the requested column, even with special characters in its id', async () => {
    const { data: search } = await tools.contentSearch({ query: 'Tasks' });
    const database = `${search.results?.[0]?.id}`;
    const { data: schema } = await tools.databaseFetch({ database_id: database });
    const columns = Object.entries(schema.properties ?? {});

    expect(columns.filter(([, { id }]) => id?.includes('%'))).not.toEqual([]);
    for (const [name, { id }] of columns) {
      const { data } = await tools.databasePropertiesQuery({ database_id: database, property_id: `${id}` });
      expect(Object.keys(data.results?.[0]?.properties ?? {})).toEqual([name]);
    }
  });

  test('duplicate a row with its values', async () => {
    const database = await create('Copied');
    const row = await insert(database.id, 'Announce', 5);

    const { data: copy } = await tools.pageDuplicate({ page_id: row.id, title: 'Announce again' });
    const { data: rows } = await tools.databaseQuery({ database_id: database.id });

    expect(ids(rows.results)).toContain(copy.page.id);
    expect(copy.page.properties).toMatchObject({
      Task: { title: [{ plain_text: 'Announce again' }] },
      State: { select: { name: 'Open' } },
      Effort: { number: 5 },
    });
  });

  test('change the title and the columns of a database', async () => {
    const database = await create('Old');

    await tools.databaseUpdate({
      database_id: database.id,
      title: 'New',
      description: 'What is left to do',
      properties: { Effort: null, State: { name: 'Status' }, Due: { date: {} } },
    });
    const { data: fetched } = await tools.databaseFetch({ database_id: database.id });

    expect(fetched.title).toMatchObject([{ plain_text: 'New' }]);
    expect(fetched.description).toMatchObject([{ plain_text: 'What is left to do' }]);
    expect(Object.keys(fetched.properties ?? {}).sort()).toEqual(['Due', 'Status', 'Task']);
  });

  test('query one of several data sources', async () => {
    const { data: children } = await tools.blockChildrenList({ block_id: parent });
    const library = children.results?.find((block) => block.text === 'Library');
    const { data: database } = await tools.dataSourceFetch({ database_id: `${library?.id}` });
    const films = database.data_sources?.find(({ name }) => name === 'Films');

    const { data: row } = await tools.dataSourceInsertRow({
      data_source_id: `${films?.id}`,
      properties: { ...titled('Alien'), Year: { number: 1979 } },
    });
    const { data: rows } = await tools.dataSourceQuery({
      data_source_id: `${films?.id}`,
      filter: { property: 'Year', number: { equals: 1979 } },
    });

    expect(database.data_sources?.map(({ name }) => name)).toEqual(['Books', 'Films']);
    expect(films?.properties).toMatchObject({ Title: { type: 'title' }, Year: { type: 'number' } });
    expect(rows.results).toEqual([row]);
  });
});

test('list the users of the workspace', async () => {
  const { data: users } = await tools.usersList();

  expect(users.results?.map(({ name }) => name)).toEqual(['Ada Lovelace', 'Grace Hopper', 'Sandbox client']);
});

test('the tests above call every tool of the catalogue', () => {
  process.stdout.write(`${record.coverage()}\n`);

  expect(record.called()).toEqual(record.names);
});

test('the responses above match the output schemas of the catalogue', () => {
  expect(record.surprises).toEqual([]);
});

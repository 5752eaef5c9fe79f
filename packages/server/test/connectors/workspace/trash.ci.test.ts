import { type Workspace, workspace } from '@svc/workspace';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rejection } from '../../support/rejection.js';
import { connectAccount, type Service, startService } from '../../support/service/service.js';
import { titled } from '../../support/tools/rich-text.js';

let service: Service;
let tools: Workspace;
let database: string;
let row: string;

beforeAll(async () => {
  service = await startService({ connectors: ['workspace'] });
  tools = workspace(service.svc, await connectAccount(service, 'workspace'));
  const { data } = await tools.contentSearch({ query: 'Tasks' });
  database = `${data.results?.[0]?.id}`;
});

afterAll(() => service.stop());

// Creates a database row with one block, and moves it to the trash.
beforeEach(async () => {
  const { data } = await tools.databaseInsertRow({
    database_id: database,
    properties: titled('Discarded'),
    child_blocks: [{ type: 'paragraph', text: 'Kept' }],
  });
  row = data.id;
  await tools.pageUpdate({ page_id: row, archived: true });
});

const findRow = async () => {
  const filter = { property: 'title', title: { equals: 'Discarded' } };
  const [rows, pages] = await Promise.all([
    tools.databaseQuery({ database_id: database, filter }),
    tools.pagesSearch({ query: 'Discarded' }),
  ]);
  return [rows, pages].map(({ data }) => data.results?.map(({ id }) => id));
};

test('a deleted page is hidden from queries and searches and readable by its id', async () => {
  const { data: page } = await tools.pageFetch({ page_id: row });

  expect(page).toMatchObject({ id: row, archived: true, in_trash: true });
  expect(await findRow()).toEqual([[], []]);
});

test.each([
  { title: 'new properties', call: () => tools.pageUpdate({ page_id: row, properties: titled('Changed') }) },
  { title: 'new blocks', call: () => tools.blocksAppend({ block_id: row, blocks: [{ type: 'divider' }] }) },
  { title: 'a second deletion', call: () => tools.blockDelete({ block_id: row }) },
])('a change of a deleted page returns the error of the upstream: $title', async ({ call }) => {
  expect(await rejection(call())).toMatchObject({
    code: 'upstream_failed',
    status: 400,
    body: { code: 'validation_error', message: expect.stringContaining('archived') },
  });
});

test('a restored page has its content, and its properties can change in the same call', async () => {
  const { data: page } = await tools.pageUpdate({
    page_id: row,
    archived: false,
    properties: { Estimate: { number: 5 } },
  });
  const { data: blocks } = await tools.blockChildrenList({ block_id: row });

  expect(page).toMatchObject({ archived: false, properties: { Estimate: { number: 5 } } });
  expect(blocks.results?.map(({ text }) => text)).toEqual(['Kept']);
  expect(await findRow()).toEqual([[row], [row]]);
  await tools.blockDelete({ block_id: row });
});

import type { Client, ConnectedAccount } from '@svc/core';
import { type Workspace, workspace } from '@svc/workspace';
import { IDENTIFIER } from './connect.ts';
import { check, say } from './transcript.ts';

async function useDatabase(tools: Workspace, pageId: string): Promise<void> {
  const { data: database } = await tools.databaseCreate({
    parent: { page_id: pageId },
    title: [{ type: 'text', text: { content: 'Launch plan' } }],
    properties: {
      Task: { title: {} },
      State: { select: { options: [{ name: 'Open' }, { name: 'Done' }] } },
      Effort: { number: { format: 'number' } },
    },
  });
  say('tool   databaseCreate', database.id);

  const { data: row } = await tools.databaseInsertRow({
    database_id: database.id,
    properties: {
      title: { title: [{ type: 'text', text: { content: 'Write the announcement' } }] },
      State: { select: { name: 'Open' } },
      Effort: { number: 3 },
    },
  });
  say('tool   databaseInsertRow', row.id);

  const { data: rows } = await tools.databaseQuery({
    database_id: database.id,
    filter: { property: 'State', select: { equals: 'Open' } },
    sorts: [{ timestamp: 'created_time', direction: 'descending' }],
  });
  say(
    'tool   databaseQuery',
    rows.results?.map((page) => page.id),
  );
  check('the query finds the inserted row', rows.results?.[0]?.id === row.id);
}

async function usePage(tools: Workspace, parentId: string): Promise<void> {
  const { data: page } = await tools.pageCreate({
    parent_page_id: parentId,
    properties: { title: { title: [{ type: 'text', text: { content: 'Notes' } }] } },
  });
  say('tool   pageCreate', page.id);
  await tools.blocksAppend({
    block_id: page.id,
    blocks: [
      { type: 'heading_1', text: 'Launch' },
      { type: 'paragraph', text: 'Ready when the list below is empty.' },
      { type: 'code', text: 'npm run demo', language: 'shell' },
      { type: 'divider' },
    ],
  });
  const texts: string[] = [];
  for await (const block of tools.blockChildrenList.each({ block_id: page.id, page_size: 2 })) {
    texts.push(block.text ?? '');
  }
  say('tool   blocksAppend, then blockChildrenList.each', texts);
  check('the blocks are read back in order', texts[0] === 'Launch' && texts.length === 4);

  const { data: comment } = await tools.commentCreate({
    parent: { page_id: page.id },
    comment: { rich_text: [{ type: 'text', text: { content: 'Who writes the headline?' } }] },
  });
  const { data: comments } = await tools.commentsList({ block_id: page.id });
  say('tool   commentCreate, then commentsList', comments.results?.length);
  check('the comment is in the list', comments.results?.some(({ id }) => id === comment.id) === true);

  const { data: archived } = await tools.pageUpdate({ page_id: page.id, archived: true });
  say('tool   pageUpdate', { archived: archived.archived });
}

/** Demo of the Workspace connector: requests through the proxy, and tool calls. */
export async function demoWorkspace(svc: Client, account: ConnectedAccount): Promise<void> {
  const me = await svc.request<{ name: string }>({
    connectionName: 'workspace',
    identifier: IDENTIFIER,
    path: '/v1/users/me',
    method: 'GET',
  });
  say('proxy  GET /v1/users/me', { status: me.status, name: me.data.name });

  const tools = workspace(svc, account);
  const { data: search } = await tools.pagesSearch({ page_size: 5 });
  const parent = search.results?.find((page) => page.parent?.type === 'workspace') ?? search.results?.[0];
  if (parent === undefined) throw new Error('The workspace has no page. Restart the demo.');
  say('tool   pagesSearch', `${search.results?.length} pages; the first is ${parent.id}`);

  const { data: users } = await tools.usersList({});
  say(
    'tool   usersList',
    users.results?.map((user) => user.name),
  );

  await useDatabase(tools, parent.id);
  await usePage(tools, parent.id);
}

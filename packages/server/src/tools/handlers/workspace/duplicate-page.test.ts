import { expect, test } from 'vitest';
import type { UpstreamRequest } from '../../handler.js';
import { duplicatePage } from './duplicate-page.js';

const PARENT = { type: 'page_id', page_id: 'home' };
const TITLE = [{ type: 'text', text: { content: 'Plan' } }];
const PAGE = {
  object: 'page',
  id: 'p1',
  parent: PARENT,
  properties: { title: { type: 'title', title: TITLE } },
};

function upstream({ page = {}, content = {} }: { page?: object; content?: object } = {}) {
  const sent: UpstreamRequest[] = [];
  const send = async (request: UpstreamRequest) => {
    sent.push(request);
    if (request.method === 'POST') return { object: 'page', id: 'copy' };
    const isContent = request.path.endsWith('/markdown');
    return isContent
      ? { markdown: 'Text', truncated: false, unknown_block_ids: [], ...content }
      : { ...PAGE, ...page };
  };
  return { sent, send };
}

test('a duplicate omits child pages, which the upstream would move, and keeps them in code blocks', async () => {
  const child = '<page url="https://www.notion.so/1">Child</page>';
  const { sent, send } = upstream({ content: { markdown: `One\n${child}\n\`\`\`html\n${child}\n\`\`\`` } });

  const copy = await duplicatePage({ page_id: 'p1' }, send);

  expect(copy).toEqual({ page: { object: 'page', id: 'copy' }, not_copied: [child] });
  expect(sent.at(-1)?.body).toMatchObject({
    parent: PARENT,
    markdown: `One\n\`\`\`html\n${child}\n\`\`\``,
  });
});

test('a duplicate copies the writable values of a row and names the others', async () => {
  const properties = {
    Task: { type: 'title', title: TITLE },
    State: { type: 'select', select: { id: 'o1', name: 'Open', color: 'red' } },
    Phase: { type: 'status', status: null },
    Tags: { type: 'multi_select', multi_select: [{ id: 'o2', name: 'New' }] },
    Owner: { type: 'people', people: [{ object: 'user', id: 'u1', name: 'Ada' }] },
    Few: { type: 'relation', relation: [{ id: 'r1' }], has_more: false },
    Many: { type: 'relation', relation: [{ id: 'r1' }], has_more: true },
    Sum: { type: 'formula', formula: { type: 'number', number: 1 } },
    Files: { type: 'files', files: [] },
  };
  const parent = { type: 'data_source_id', data_source_id: 's1', database_id: 'd1' };
  const { sent, send } = upstream({ page: { parent, properties } });

  const { not_copied: skipped } = await duplicatePage({ page_id: 'p1' }, send);

  expect(skipped).toEqual(['Many', 'Sum', 'Files']);
  expect(sent.at(-1)?.body).toEqual({
    parent: { type: 'data_source_id', data_source_id: 's1' },
    properties: {
      title: { title: TITLE },
      State: { select: { name: 'Open' } },
      Tags: { multi_select: [{ name: 'New' }] },
      Owner: { people: [{ id: 'u1' }] },
      Few: { relation: [{ id: 'r1' }] },
    },
    markdown: 'Text',
  });
});

test.each([
  { title: 'a truncated page', content: { truncated: true }, field: 'page_id' },
  { title: 'a page that is too long', content: { markdown: 'x'.repeat(400_000) }, field: 'page_id' },
  { title: 'a page with unreadable blocks', content: { unknown_block_ids: ['b1'] }, field: 'page_id' },
  {
    title: 'a page at the root of the workspace',
    page: { parent: { type: 'workspace', workspace: true } },
    field: 'parent_page_id',
  },
])('a duplicate of $title is refused, and nothing is created', async ({ page, content, field }) => {
  const { sent, send } = upstream({ ...(page && { page }), ...(content && { content }) });

  await expect(duplicatePage({ page_id: 'p1' }, send)).rejects.toMatchObject({
    code: 'invalid_input',
    details: { errors: [{ field }] },
  });
  expect(sent.map(({ method }) => method)).not.toContain('POST');
});

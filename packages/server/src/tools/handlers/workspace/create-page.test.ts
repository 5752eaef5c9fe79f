import { expect, test } from 'vitest';
import { ServiceError } from '../../../errors.js';
import type { UpstreamRequest } from '../../handler.js';
import { createPage, withTitleKey } from './create-page.js';

const parent = { type: 'page_id', page_id: 'home' };
const page = { object: 'page', id: 'new-page' };
const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ type: 'paragraph', text: `Line ${index}` }));
const converted = (count: number) =>
  paragraphs(count).map(({ text }) => ({
    object: 'block',
    type: 'paragraph',
    paragraph: { rich_text: [{ type: 'text', text: { content: text } }] },
  }));

function upstream({
  failAt = Number.POSITIVE_INFINITY,
  created = page,
}: {
  failAt?: number;
  created?: object;
} = {}) {
  const requests: UpstreamRequest[] = [];
  const send = async (request: UpstreamRequest) => {
    requests.push(request);
    if (requests.length === failAt) throw new ServiceError('upstream_timeout', 'No response in time');
    return request.method === 'POST' ? created : { object: 'list', results: [] };
  };
  return { requests, send };
}

test('a page is created with 100 blocks, and the rest is appended with the same version', async () => {
  const { requests, send } = upstream();

  const result = await createPage({ child_blocks: paragraphs(231) }, send, { parent, version: '2025-09-03' });

  const headers = { 'Notion-Version': '2025-09-03' };
  const append = { method: 'PATCH', path: '/v1/blocks/new-page/children', headers };
  expect(result).toBe(page);
  expect(requests).toEqual([
    {
      method: 'POST',
      path: '/v1/pages',
      headers,
      body: { parent, properties: {}, children: converted(100) },
    },
    { ...append, body: { children: converted(231).slice(100, 200) } },
    { ...append, body: { children: converted(231).slice(200) } },
  ]);
});

test('a page contains only the given values, and null clears a value', async () => {
  const { requests, send } = upstream();

  await createPage({ properties: {}, icon: null }, send, { parent });

  expect(requests).toStrictEqual([
    { method: 'POST', path: '/v1/pages', body: { parent, properties: {}, icon: null } },
  ]);
});

test('a created page reports itself and its block count when appending the rest fails', async () => {
  const { send } = upstream({ failAt: 3 });

  await expect(createPage({ child_blocks: paragraphs(231) }, send, { parent })).rejects.toMatchObject({
    code: 'upstream_timeout',
    message: expect.stringMatching(/^The page new-page was created with 200 of 231 blocks.*Do not repeat/),
    details: { progress: { pageId: 'new-page', appended: 200, total: 231 } },
  });
});

test('a refused page returns the error unchanged', async () => {
  const { requests, send } = upstream({ failAt: 1 });

  const result = createPage({ child_blocks: paragraphs(101) }, send, { parent });

  await expect(result).rejects.toMatchObject({ code: 'upstream_timeout', details: undefined });
  expect(requests).toHaveLength(1);
});

test('a created page without an id stops the append', async () => {
  const { requests, send } = upstream({ created: { object: 'page' } });

  await expect(createPage({ child_blocks: paragraphs(101) }, send, { parent })).rejects.toMatchObject({
    code: 'upstream_failed',
  });
  expect(requests).toHaveLength(1);
});

test('a refused block sends nothing', async () => {
  const { requests, send } = upstream();

  const result = createPage({ child_blocks: [{ type: 'to_do', text: 'x' }] }, send, { parent });

  await expect(result).rejects.toMatchObject({ code: 'invalid_input' });
  expect(requests).toEqual([]);
});

const title = { title: [] };

test.each([
  {
    title: 'keeps a title under "title"',
    properties: { State: { select: null }, title },
    names: ['State', 'title'],
  },
  {
    title: 'moves a title from its column name to "title"',
    properties: { Task: title, Due: { date: null } },
    names: ['title', 'Due'],
  },
  { title: 'keeps values without a title', properties: { Due: { date: null } }, names: ['Due'] },
  {
    title: 'keeps a column of another type named "title"',
    properties: { title: { rich_text: [] } },
    names: ['title'],
  },
])('withTitleKey $title', ({ properties, names }) => {
  expect(Object.keys(withTitleKey(properties))).toEqual(names);
});

test.each([
  { title: 'two titles', properties: { Task: title, title } },
  {
    title: 'a title that would replace a column',
    properties: { Task: title, title: { rich_text: [] } },
  },
])('withTitleKey refuses $title', ({ properties }) => {
  expect(() => withTitleKey(properties)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});

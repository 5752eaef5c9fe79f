import { UpstreamError } from '@svc/core';
import { type Workspace, workspace } from '@svc/workspace';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { collect } from '../../support/collect.js';
import { rejection } from '../../support/rejection.js';
import { connectAccount, type Service, startService } from '../../support/service/service.js';
import { titled } from '../../support/tools/rich-text.js';

let service: Service;
let tools: Workspace;
let parent: string;
let page: string;

beforeAll(async () => {
  service = await startService({ connectors: ['workspace'] });
  tools = workspace(service.svc, await connectAccount(service, 'workspace'));
  const { data } = await tools.pagesSearch({ query: 'Projects' });
  parent = `${data.results?.[0]?.id}`;
});

afterAll(() => service.stop());

beforeEach(async () => {
  const { data } = await tools.pageCreate({ parent_page_id: parent, properties: titled('Long') });
  page = data.id;
  await service.sandbox.clearRequests();
});

afterEach(() => service.sandbox.dials('workspace', { failNext: null }));

const paragraph = (text: string) => ({ type: 'paragraph' as const, text });
const paragraphs = (count: number) => Array.from({ length: count }, (_, index) => paragraph(`Line ${index}`));
const lines = (count: number) => paragraphs(count).map(({ text }) => text);

const textsOf = async (id: string, page_size = 100) =>
  (await collect(tools.blockChildrenList.each({ block_id: id, page_size }))).map(({ text }) => text);

/** Returns method, path and number of blocks of every request that was not a GET. */
async function writes() {
  const requests = await service.sandbox.requests();
  return requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => {
      const children: unknown = typeof body === 'object' && body !== null && Reflect.get(body, 'children');
      return [method, path, Array.isArray(children) ? children.length : 0];
    });
}

const failAfter = (passing: number, match: { readonly method: string; readonly path: string }) =>
  service.sandbox.dials('workspace', { failNext: { count: 1, status: 500, after: passing, match } });

describe('a list with more blocks than one request accepts', () => {
  test('is also split by bytes, because the upstream accepts 500 KB per request', async () => {
    const long = (count: number) => [...paragraphs(3), ...Array(count).fill(paragraph('é'.repeat(110_000)))];
    const append = ['PATCH', `/v1/blocks/${page}/children`];

    await tools.blocksAppend({ block_id: page, blocks: long(3) });
    const { data } = await tools.pageCreate({
      parent_page_id: parent,
      properties: titled('Long'),
      child_blocks: long(3),
    });

    expect(await writes()).toEqual([
      [...append, 5],
      [...append, 1],
      ['POST', '/v1/pages', 5],
      ['PATCH', `/v1/blocks/${data.id}/children`, 1],
    ]);
    for (const id of [page, data.id]) {
      expect((await textsOf(id)).map((text) => text?.length)).toEqual([6, 6, 6, 110_000, 110_000, 110_000]);
    }
  });

  test('can be as large as 8 MB for every tool with blocks', async () => {
    // 40 texts of 199,900 bytes leave 4,000 of the 8,000,000 bytes for the JSON around the texts.
    const child_blocks = Array<ReturnType<typeof paragraph>>(40).fill(paragraph('x'.repeat(199_900)));
    await tools.blocksAppend({ block_id: page, blocks: child_blocks });
    const { data } = await tools.pageCreate({
      parent_page_id: parent,
      properties: titled('Long'),
      child_blocks,
    });
    for (const id of [page, data.id])
      expect((await textsOf(id, 10)).map((text) => text?.length)).toEqual(Array(40).fill(199_900));
    expect((await writes()).map(([, , count]) => count)).toEqual(Array(40).fill(2));

    const more = [...child_blocks, paragraph('x'.repeat(10_000))];
    await expect(tools.blocksAppend({ block_id: page, blocks: more })).rejects.toThrow(
      'larger than the maximum of 8000000 bytes for a call of "workspace_blocks_append"',
    );
  });

  test('is appended in order in requests of a hundred, and all blocks are returned', async () => {
    const { data: appended } = await tools.blocksAppend({ block_id: page, blocks: paragraphs(250) });

    const append = ['PATCH', `/v1/blocks/${page}/children`];
    expect(await writes()).toEqual([
      [...append, 100],
      [...append, 100],
      [...append, 50],
    ]);
    const blocks = await collect(tools.blockChildrenList.each({ block_id: page }));
    expect(blocks.map(({ text }) => text)).toEqual(lines(250));
    expect(appended.results?.map(({ id }) => id)).toEqual(blocks.map(({ id }) => id));
  });

  test('reports how many blocks were appended when a later request fails', async () => {
    await failAfter(2, { method: 'PATCH', path: '/v1/blocks/' });

    const error = await rejection(tools.blocksAppend({ block_id: page, blocks: paragraphs(250) }));

    expect(error).toBeInstanceOf(UpstreamError);
    expect(error).toMatchObject({
      status: 500,
      body: { code: 'internal_server_error' },
      message: expect.stringMatching(/200 of 250 blocks were appended.*Do not repeat the whole/),
      details: { progress: { appended: 200, total: 250 } },
    });
    expect(await textsOf(page)).toEqual(lines(200));
  });

  test('can be continued after the last appended block', async () => {
    const blocks = paragraphs(150);
    await failAfter(1, { method: 'PATCH', path: '/v1/blocks/' });

    await rejection(tools.blocksAppend({ block_id: page, blocks }));
    const stored = await textsOf(page);
    await tools.blocksAppend({ block_id: page, blocks: blocks.slice(stored.length) });

    expect(stored).toHaveLength(100);
    expect(await textsOf(page)).toEqual(lines(150));
  });

  test('leaves nothing behind when the first request fails', async () => {
    await failAfter(0, { method: 'PATCH', path: '/v1/blocks/' });

    const error = await rejection(tools.blocksAppend({ block_id: page, blocks: paragraphs(250) }));

    expect(error).toMatchObject({
      status: 500,
      details: expect.not.objectContaining({ progress: expect.anything() }),
    });
    expect(await textsOf(page)).toEqual([]);
  });
});

describe('a page with more blocks than one request accepts', () => {
  const create = (count: number) =>
    tools.pageCreate({
      parent_page_id: parent,
      properties: titled('With content'),
      child_blocks: paragraphs(count),
    });

  test('is created with the first hundred blocks, and the rest is appended', async () => {
    const { data: created } = await create(150);

    expect(await writes()).toEqual([
      ['POST', '/v1/pages', 100],
      ['PATCH', `/v1/blocks/${created.id}/children`, 50],
    ]);
    expect(await textsOf(created.id)).toEqual(lines(150));
  });

  test('is named in the error with its appended blocks when a later request fails', async () => {
    await failAfter(1, { method: 'PATCH', path: '/v1/blocks/' });

    const error = await rejection(create(250));

    if (!(error instanceof UpstreamError)) throw error;
    const { data: pages } = await tools.pagesSearch({ query: 'With content' });
    const pageId = pages.results?.[0]?.id;
    expect(error).toMatchObject({
      message: expect.stringContaining(`The page ${pageId} was created with 200 of 250 blocks`),
      details: { progress: { pageId, appended: 200, total: 250 } },
    });
    expect(await textsOf(`${pageId}`)).toEqual(lines(200));
  });

  test('uses the API version of the caller for every request', async () => {
    await tools.pageCreate({
      parent_page_id: parent,
      properties: titled('Newer'),
      child_blocks: paragraphs(101),
      workspace_version: '2025-09-03',
    });

    const versions = (await service.sandbox.requests()).map(({ headers }) => headers['notion-version']);
    expect(versions).toEqual(['2025-09-03', '2025-09-03']);
  });
});

describe('a long text', () => {
  const emoji = '🚀';

  test.each([
    { title: '2000 characters', text: 'x'.repeat(2000) },
    {
      title: '5000 characters with a surrogate pair across the 2000th',
      text: `${'x'.repeat(1999)}${emoji}${'y'.repeat(2999)}`,
    },
    { title: '5000 characters of surrogate pairs', text: emoji.repeat(2500) },
    { title: '200,000 characters', text: 'x'.repeat(200_000) },
  ])('is returned unchanged: $title', async ({ text }) => {
    await tools.blocksAppend({ block_id: page, blocks: [{ type: 'paragraph', text }] });

    const [block] = await collect(tools.blockChildrenList.each({ block_id: page }));
    const pieces =
      block?.type === 'paragraph' ? block.paragraph?.rich_text?.map((item) => `${item.plain_text}`) : [];
    expect(block?.text).toBe(text);
    expect(pieces?.every((piece) => piece.length <= 2000 && piece.isWellFormed())).toBe(true);
  });

  test('replaces the whole text of a block', async () => {
    const { data } = await tools.blocksAppend({ block_id: page, blocks: paragraphs(1) });
    const text = `${'x'.repeat(3999)}${emoji}`;

    await tools.blockUpdate({ block_id: `${data.results?.[0]?.id}`, type: 'paragraph', text });

    expect(await textsOf(page)).toEqual([text]);
  });

  test.each([
    { title: '200,001 characters', text: 'x'.repeat(200_001) },
    { title: '200,000 characters that need a 101st piece', text: `x${emoji.repeat(99_999)}x` },
  ])('is refused, and nothing is sent: $title', async ({ text }) => {
    const blocks = [...paragraphs(150), { type: 'paragraph' as const, text }];

    const error = await rejection(tools.blocksAppend({ block_id: page, blocks }));

    expect(error).toMatchObject({
      code: 'invalid_input',
      errors: [expect.objectContaining({ field: 'blocks[150].text', rule: 'maxLength' })],
    });
    expect(await service.sandbox.requests()).toEqual([]);
  });
});

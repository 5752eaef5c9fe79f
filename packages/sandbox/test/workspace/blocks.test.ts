import { beforeEach, describe, expect, test } from 'vitest';
import type { ApiResponse } from '../authorized.js';
import { ada, paragraph, search, text, useWorkspace, V26 } from './setup.js';

useWorkspace();

describe('blocks', () => {
  let page: string;
  beforeEach(async () => {
    page = await search('Meeting notes', 'page');
  });
  const children = async (query = ''): Promise<ApiResponse> =>
    ada.call('GET', `/v1/blocks/${page}/children${query}`);

  test('are returned with server fields after they are appended', async () => {
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
      icon: null,
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

  test('can be appended after another block or, in the newest version, at the start', async () => {
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

  test('keep fields that an update omits and replace their text', async () => {
    const { body } = await ada.call('PATCH', `/v1/blocks/${page}/children`, {
      body: { children: [{ code: { rich_text: text('a'), language: 'python' } }] },
    });
    const updated = await ada.call('PATCH', `/v1/blocks/${body.results[0].id}`, {
      body: { code: { rich_text: text('b') } },
    });
    expect(updated.body.code).toMatchObject({ language: 'python', rich_text: [{ plain_text: 'b' }] });
  });

  test('refuse an update with another type', async () => {
    const [heading] = (await children()).body.results;
    const response = await ada.call('PATCH', `/v1/blocks/${heading.id}`, { body: paragraph('x') });
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_error' } });
  });

  test('can be trashed and restored, and refuse changes in the trash', async () => {
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

  test('refuse children if their type does not support them', async () => {
    const { body } = await ada.call('PATCH', `/v1/blocks/${page}/children`, {
      body: { children: [{ divider: {} }] },
    });
    const response = await ada.call('PATCH', `/v1/blocks/${body.results[0].id}/children`, {
      body: { children: [paragraph('x')] },
    });
    expect(response).toMatchObject({ status: 400, body: { message: 'Block does not support children.' } });
  });

  test('include child pages, which are trashed with their block', async () => {
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

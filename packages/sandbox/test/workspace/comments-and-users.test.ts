import { describe, expect, test } from 'vitest';
import { ada, search, text, UNKNOWN, useWorkspace, V26 } from './setup.js';

useWorkspace();

describe('comments and users', () => {
  test('a comment starts a thread that lists its replies in order', async () => {
    const page = await search('Welcome', 'page');
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

  test('a thread refuses replies after its page is trashed', async () => {
    const page = await search('Welcome', 'page');
    const { body: first } = await ada.call('POST', '/v1/comments', {
      body: { parent: { page_id: page }, rich_text: text('First') },
    });
    await ada.call('PATCH', `/v1/pages/${page}`, { body: { in_trash: true } });

    const reply = await ada.call('POST', '/v1/comments', {
      body: { discussion_id: first.discussion_id, rich_text: text('Second') },
    });

    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringMatching(/archived/) } });
  });

  test.each([
    {
      title: 'both a parent and a thread',
      body: { parent: { page_id: UNKNOWN }, discussion_id: UNKNOWN, rich_text: [] },
      status: 400,
    },
    { title: 'neither a parent nor a thread', body: { rich_text: [] }, status: 400 },
    { title: 'a wrapper object', body: { comment: { rich_text: [] } }, status: 400 },
    { title: 'an unknown thread', body: { discussion_id: UNKNOWN, rich_text: [] }, status: 404 },
  ])('a comment with $title is refused', async ({ body, status }) => {
    expect((await ada.call('POST', '/v1/comments', { body })).status).toBe(status);
  });

  test('the user list contains people and the integration', async () => {
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

  test('pages in the newest version have in_trash and no archived field', async () => {
    const page = await search('Welcome', 'page');
    const { body } = await ada.call('GET', `/v1/pages/${page}`, { headers: V26 });
    expect(body).toMatchObject({ in_trash: false });
    expect(body).not.toHaveProperty('archived');
    expect(
      (await ada.call('PATCH', `/v1/pages/${page}`, { headers: V26, body: { archived: true } })).status,
    ).toBe(400);
  });
});

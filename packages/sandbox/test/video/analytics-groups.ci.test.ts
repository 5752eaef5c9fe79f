import { beforeEach, describe, expect, test } from 'vitest';
import { analytics, engineGroup, grace, items, playlist, reason, useVideo } from './setup.js';

useVideo();

let groupId: string;
beforeEach(async () => {
  groupId = await engineGroup();
});

describe('analytics groups', () => {
  const list = async (query: Record<string, string> = { mine: 'true' }) =>
    items(await analytics('GET', 'groups', query));
  const create = (title: string, itemType = 'youtube#video', query = {}) =>
    analytics('POST', 'groups', query, { body: { snippet: { title }, contentDetails: { itemType } } });

  test('are created, renamed, found and deleted', async () => {
    const { status, body } = await create('New');
    expect([status, body]).toEqual([
      200,
      {
        kind: 'youtube#group',
        etag: expect.any(String),
        id: expect.any(String),
        snippet: { publishedAt: expect.any(String), title: 'New' },
        contentDetails: { itemCount: '0', itemType: 'youtube#video' },
      },
    ]);
    const renamed = await analytics(
      'PUT',
      'groups',
      {},
      { body: { id: body.id, snippet: { title: 'Renamed' } } },
    );
    expect(renamed.body.snippet.title).toBe('Renamed');
    expect((await list()).map(({ snippet }) => snippet.title)).toEqual(['Engines', 'Renamed']);
    expect(await list({ id: `${body.id},nothing` })).toMatchObject([{ id: body.id }]);
    expect(await analytics('DELETE', 'groups', { id: body.id })).toMatchObject({
      status: 204,
      body: undefined,
    });
    expect(await list()).toHaveLength(1);
  });

  test('are split into pages', async () => {
    for (let index = 0; index < 20; index += 1) await create(`Group ${index}`);
    const first = await analytics('GET', 'groups', { mine: 'true' });
    const second = await list({ mine: 'true', pageToken: first.body.nextPageToken });
    expect([items(first).length, second.length]).toEqual([20, 1]);
    expect((await analytics('GET', 'groups', { mine: 'true', pageToken: 'x' })).status).toBe(400);
  });

  test('are separate for a content owner and can contain channels there', async () => {
    const owner = { onBehalfOfContentOwner: 'adaContentOwner0000001' };
    expect((await create('Channels', 'youtube#channel', owner)).status).toBe(200);
    expect(reason(await create('Channels', 'youtube#channel'))).toEqual([403, 'forbidden']);
    expect(await list({ mine: 'true', ...owner })).toHaveLength(1);
    expect(await list()).toHaveLength(1);
    expect(
      reason(await analytics('GET', 'groups', { mine: 'true', onBehalfOfContentOwner: 'other' })),
    ).toEqual([403, 'forbidden']);
  });

  test.each([
    { title: 'a list without a filter', call: () => analytics('GET', 'groups'), status: 400 },
    {
      title: 'a list with mine=false',
      call: () => analytics('GET', 'groups', { mine: 'false' }),
      status: 400,
    },
    {
      title: 'an unknown parameter',
      call: () => analytics('GET', 'groups', { mine: 'true', 'max-results': '1' }),
      status: 400,
    },
    { title: 'a group without a title', call: () => create(' '), status: 400 },
    { title: 'a group of an unknown type', call: () => create('x', 'video'), status: 400 },
    {
      title: 'an unknown field',
      call: () => analytics('POST', 'groups', {}, { body: { title: 'x' } }),
      status: 400,
    },
    {
      title: 'an update without an id',
      call: () => analytics('PUT', 'groups', {}, { body: { snippet: { title: 'x' } } }),
      status: 400,
    },
    {
      title: 'an update of a missing group',
      call: () => analytics('PUT', 'groups', {}, { body: { id: 'x', snippet: { title: 'x' } } }),
      status: 404,
    },
    {
      title: 'a deletion by another user',
      call: () => analytics('DELETE', 'groups', { id: groupId }, { as: grace }),
      status: 403,
    },
    {
      title: 'a deletion with a wrong parameter name',
      call: () => analytics('DELETE', 'groups', { groupId }),
      status: 400,
    },
  ])('refuse $title', async ({ call, status }) => {
    const response = await call();
    expect(response.status).toBe(status);
    expect(response.body.error.errors).toHaveLength(1);
  });
});

describe('analytics group items', () => {
  const list = async () => items(await analytics('GET', 'groupItems', { groupId }));
  const insert = (id: string, kind = 'youtube#video', to = groupId) =>
    analytics('POST', 'groupItems', {}, { body: { groupId: to, resource: { id, kind } } });

  test('are added once, listed and deleted by their own id', async () => {
    const made = await insert('adaNotes_02');
    expect(made).toMatchObject({
      status: 200,
      body: {
        kind: 'youtube#groupItem',
        groupId,
        resource: { kind: 'youtube#video', id: 'adaNotes_02' },
      },
    });
    expect(await insert('adaNotes_02')).toMatchObject({ status: 204, body: undefined });
    expect((await list()).map(({ resource }) => resource.id)).toEqual(['adaEngine01', 'adaNotes_02']);
    const [group] = items(await analytics('GET', 'groups', { mine: 'true' }));
    expect(group.contentDetails.itemCount).toBe('2');
    expect((await analytics('DELETE', 'groupItems', { id: 'adaNotes_02' })).status).toBe(404);
    expect((await analytics('DELETE', 'groupItems', { id: made.body.id })).status).toBe(204);
    expect(await list()).toHaveLength(1);
  });

  test.each([
    {
      title: 'another kind than that of the group',
      sent: [playlist('adaMathematics'), 'youtube#playlist'],
      status: 400,
    },
    { title: 'a missing resource', sent: [''], status: 400 },
    { title: 'an unknown video', sent: ['nothing'], status: 404 },
    { title: 'a video of another user', sent: ['graceCobol1'], status: 403 },
    { title: 'an unknown group', sent: ['adaEngine01', 'youtube#video', 'nothing'], status: 404 },
  ] as const)('refuse $title', async ({ sent: [id, kind, to], status }) => {
    expect((await insert(id, kind, to)).status).toBe(status);
  });
});

import { describe, expect, test } from 'vitest';
import { ADA, analytics, approved, GRACE, grace, items, playlist, reason, useVideo } from './setup.js';

useVideo();

const GROUP = 'adaEngineGroup01';

describe('groups', () => {
  const list = async (query: Record<string, string> = { mine: 'true' }) =>
    items(await analytics('GET', 'groups', query));
  const create = (title: string, itemType = 'youtube#video', query = {}) =>
    analytics('POST', 'groups', query, { body: { snippet: { title }, contentDetails: { itemType } } });

  test('are made, renamed, found and deleted', async () => {
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

  test('come in pages', async () => {
    for (let index = 0; index < 20; index += 1) await create(`Group ${index}`);
    const first = await analytics('GET', 'groups', { mine: 'true' });
    const second = await list({ mine: 'true', pageToken: first.body.nextPageToken });
    expect([items(first).length, second.length]).toEqual([20, 1]);
    expect((await analytics('GET', 'groups', { mine: 'true', pageToken: 'x' })).status).toBe(400);
  });

  test('of a content owner are apart from those of a channel, and may hold channels', async () => {
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
      title: 'a list of what is not one’s own',
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
      title: 'a change without an id',
      call: () => analytics('PUT', 'groups', {}, { body: { snippet: { title: 'x' } } }),
      status: 400,
    },
    {
      title: 'a change of what does not exist',
      call: () => analytics('PUT', 'groups', {}, { body: { id: 'x', snippet: { title: 'x' } } }),
      status: 404,
    },
    {
      title: 'a deletion by another',
      call: () => analytics('DELETE', 'groups', { id: GROUP }, { as: grace }),
      status: 403,
    },
    {
      title: 'a deletion by the wrong name',
      call: () => analytics('DELETE', 'groups', { groupId: GROUP }),
      status: 400,
    },
  ])('refuse $title', async ({ call, status }) => {
    const answer = await call();
    expect(answer.status).toBe(status);
    expect(answer.body.error.errors).toHaveLength(1);
  });
});

describe('group items', () => {
  const list = async (groupId = GROUP) => items(await analytics('GET', 'groupItems', { groupId }));
  const insert = (id: string, kind = 'youtube#video', groupId = GROUP) =>
    analytics('POST', 'groupItems', {}, { body: { groupId, resource: { id, kind } } });

  test('are added once, listed, and taken out by their own id', async () => {
    const made = await insert('adaNotes_02');
    expect(made).toMatchObject({
      status: 200,
      body: {
        kind: 'youtube#groupItem',
        groupId: GROUP,
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
      title: 'another kind than the group’s',
      sent: [playlist('adaMathematics'), 'youtube#playlist'],
      status: 400,
    },
    { title: 'no resource', sent: [''], status: 400 },
    { title: 'an unknown video', sent: ['nothing'], status: 404 },
    { title: 'a video of another', sent: ['graceCobol1'], status: 403 },
    { title: 'an unknown group', sent: ['adaEngine01', 'youtube#video', 'nothing'], status: 404 },
  ] as const)('refuse $title', async ({ sent: [id, kind, groupId], status }) => {
    expect((await insert(id, kind, groupId)).status).toBe(status);
  });
});

describe('reports', () => {
  const YEAR = { ids: 'channel==MINE', startDate: '2026-02-01', endDate: '2026-02-28' };
  const query = (more: Record<string, string>, as?: typeof grace) =>
    analytics('GET', 'reports', { ...YEAR, metrics: 'views', ...more }, as === undefined ? {} : { as });

  test('say the same for the same days, with their columns named in the order of the request', async () => {
    const { body } = await query({ dimensions: 'day', metrics: 'views,averageViewPercentage' });
    expect(body).toMatchObject({
      kind: 'youtubeAnalytics#resultTable',
      columnHeaders: [
        { name: 'day', columnType: 'DIMENSION', dataType: 'STRING' },
        { name: 'views', columnType: 'METRIC', dataType: 'INTEGER' },
        { name: 'averageViewPercentage', columnType: 'METRIC', dataType: 'FLOAT' },
      ],
    });
    expect(body.rows).toHaveLength(28);
    expect(body.rows[0]).toEqual(['2026-02-01', expect.any(Number), expect.any(Number)]);
    expect((await query({ dimensions: 'day', metrics: 'views,averageViewPercentage' })).body).toEqual(body);
  });

  test.each(['month', 'video', 'country', 'deviceType', 'channel', 'video,country'])(
    'add up by %s to the same total',
    async (dimensions) => {
      const total = (await query({})).body.rows[0][0];
      const { rows, columnHeaders } = (await query({ dimensions })).body;
      const views = rows.map((row: (string | number)[]) => Number(row[columnHeaders.length - 1]));
      expect(views.reduce((sum: number, one: number) => sum + one, 0)).toBe(total);
    },
  );

  test('are filtered by what is named, and by groups', async () => {
    const of = async (filters: string) => (await query({ filters })).body.rows[0][0];
    expect(await of(`group==${GROUP}`)).toBe(await of('video==adaEngine01'));
    expect(await of('country==GB,US')).toBe((await of('country==GB')) + (await of('country==US')));
    expect(await of('video==adaEngine01;country==GB')).toBeLessThan(await of('video==adaEngine01'));
  });

  test('are sorted, and paged by a start and a size', async () => {
    const all = (await query({ dimensions: 'day', sort: '-views,day' })).body.rows;
    const views = all.map((row: number[]) => row[1]);
    expect(views).toEqual([...views].sort((a, b) => b - a));
    const page = await query({ dimensions: 'day', sort: '-views,day', startIndex: '11', maxResults: '10' });
    expect(page.body.rows).toEqual(all.slice(10, 20));
  });

  test('without data have no rows: before the first video, and of the last two days', async () => {
    const old = { startDate: '2025-01-01', endDate: '2025-01-31' };
    expect((await query(old)).body).not.toHaveProperty('rows');
    const today = new Date().toISOString().slice(0, 10);
    expect((await query({ startDate: today, endDate: '2099-01-01' })).body).not.toHaveProperty('rows');
  });

  test('tell of money in a currency, with the scope for it', async () => {
    expect(reason(await query({ metrics: 'estimatedRevenue' }))).toEqual([403, 'insufficientPermissions']);
    const monetary = await approved('ada', ['yt-analytics-monetary.readonly']);
    const revenue = async (currency: string) =>
      (await query({ metrics: 'estimatedRevenue', currency }, monetary)).body.rows[0][0];
    expect(await revenue('EUR')).toBeCloseTo((await revenue('USD')) * 0.9, 1);
  });

  test.each([
    { title: 'another channel', more: { ids: `channel==${GRACE}` }, status: 403 },
    { title: 'ids that are none', more: { ids: 'MINE' }, status: 400 },
    { title: 'an unknown metric', more: { metrics: 'view' }, status: 400 },
    { title: 'an unknown dimension', more: { dimensions: 'hour' }, status: 400 },
    { title: 'a sort by what is not asked for', more: { dimensions: 'day', sort: 'likes' }, status: 400 },
    { title: 'a date that is none', more: { startDate: '2026-02-30' }, status: 400 },
    { title: 'an end before the start', more: { endDate: '2026-01-31' }, status: 400 },
    { title: 'a start below one', more: { startIndex: '0' }, status: 400 },
    { title: 'an unknown currency', more: { currency: 'euro' }, status: 400 },
    { title: 'the hyphenated names of the first version', more: { 'max-results': '5' }, status: 400 },
    { title: 'no metrics', more: { metrics: '' }, status: 400 },
  ])('refuse $title', async ({ more, status }) => {
    const answer = await query(more as Record<string, string>);
    expect([answer.status, answer.body.error.code]).toEqual([status, status]);
  });

  test.each([
    { title: 'days and months', more: { dimensions: 'day,month' } },
    { title: 'a filter that is none', more: { filters: 'views==5' } },
    { title: 'a group beside a video', more: { filters: `group==${GROUP};video==adaEngine01` } },
    {
      title: 'more than two hundred videos',
      more: { dimensions: 'video', sort: '-views', maxResults: '201' },
    },
  ])('do not support $title', async ({ more }) => {
    const { status, body } = await query(more as Record<string, string>);
    expect([status, body.error.message]).toEqual([400, 'The query is not supported']);
  });

  test('take one’s own channel by its id, and the content owner', async () => {
    for (const ids of [`channel==${ADA}`, 'contentOwner==adaContentOwner0000001'])
      expect((await query({ ids })).body.rows).toHaveLength(1);
  });
});

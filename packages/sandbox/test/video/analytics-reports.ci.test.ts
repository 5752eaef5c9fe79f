import { beforeEach, describe, expect, test } from 'vitest';
import { ADA, analytics, approved, engineGroup, GRACE, type grace, reason, useVideo } from './setup.js';

useVideo();

let groupId: string;
beforeEach(async () => {
  groupId = await engineGroup();
});

describe('analytics reports', () => {
  const YEAR = { ids: 'channel==MINE', startDate: '2026-02-01', endDate: '2026-02-28' };
  const query = (more: Record<string, string>, as?: typeof grace) =>
    analytics('GET', 'reports', { ...YEAR, metrics: 'views', ...more }, as === undefined ? {} : { as });

  test('are deterministic and have columns in the requested order', async () => {
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

  const OWNER = { ids: 'contentOwner==adaContentOwner0000001' };
  test.each([
    { dimensions: 'month' },
    { dimensions: 'video', sort: '-views', maxResults: '200' },
    { dimensions: 'country' },
    { dimensions: 'deviceType' },
    { dimensions: 'deviceType,day' },
    { dimensions: 'channel', ...OWNER },
  ])('have the same total by $dimensions', async (by) => {
    const total = (await query({})).body.rows[0][0];
    const { rows, columnHeaders } = (await query(by)).body;
    const views = rows.map((row: (string | number)[]) => Number(row[columnHeaders.length - 1]));
    expect(views.reduce((sum: number, one: number) => sum + one, 0)).toBe(total);
  });

  test('are filtered by country, video and group', async () => {
    const of = async (filters: string) => (await query({ filters })).body.rows[0][0];
    expect(await of(`group==${groupId}`)).toBe(await of('video==adaEngine01'));
    expect(await of('country==GB,US')).toBe((await of('country==GB')) + (await of('country==US')));
    expect(await of('video==adaEngine01;country==GB')).toBeLessThan(await of('video==adaEngine01'));
  });

  test('are sorted and paged by start index and size', async () => {
    const all = (await query({ dimensions: 'day', sort: '-views,day' })).body.rows;
    const views = all.map((row: number[]) => row[1]);
    expect(views).toEqual([...views].sort((a, b) => b - a));
    const page = await query({ dimensions: 'day', sort: '-views,day', startIndex: '11', maxResults: '10' });
    expect(page.body.rows).toEqual(all.slice(10, 20));
  });

  test('have no rows before the first video and for the last two days', async () => {
    const old = { startDate: '2025-01-01', endDate: '2025-01-31' };
    expect((await query(old)).body).not.toHaveProperty('rows');
    const today = new Date().toISOString().slice(0, 10);
    expect((await query({ startDate: today, endDate: '2099-01-01' })).body).not.toHaveProperty('rows');
  });

  test('return revenue in the requested currency with the monetary scope', async () => {
    expect(reason(await query({ metrics: 'estimatedRevenue' }))).toEqual([403, 'insufficientPermissions']);
    const monetary = await approved('ada', ['yt-analytics-monetary.readonly']);
    const revenue = async (currency: string) =>
      (await query({ metrics: 'estimatedRevenue', currency }, monetary)).body.rows[0][0];
    expect(await revenue('EUR')).toBeCloseTo((await revenue('USD')) * 0.9, 1);
  });

  test.each([
    { title: 'another channel', more: { ids: `channel==${GRACE}` }, status: 403 },
    { title: 'invalid ids', more: { ids: 'MINE' }, status: 400 },
    { title: 'an unknown metric', more: { metrics: 'view' }, status: 400 },
    { title: 'an unknown dimension', more: { dimensions: 'hour' }, status: 400 },
    {
      title: 'a sort by a column that is not requested',
      more: { dimensions: 'day', sort: 'likes' },
      status: 400,
    },
    { title: 'an invalid date', more: { startDate: '2026-02-30' }, status: 400 },
    { title: 'an end before the start', more: { endDate: '2026-01-31' }, status: 400 },
    { title: 'a start index of 0', more: { startIndex: '0' }, status: 400 },
    { title: 'an unknown currency', more: { currency: 'euro' }, status: 400 },
    {
      title: 'the hyphenated parameter names of the first version',
      more: { 'max-results': '5' },
      status: 400,
    },
    { title: 'an empty list of metrics', more: { metrics: '' }, status: 400 },
  ])('refuse $title', async ({ more, status }) => {
    const response = await query(more as Record<string, string>);
    expect([response.status, response.body.error.code]).toEqual([status, status]);
  });

  test.each([
    { title: 'days together with months', more: { dimensions: 'day,month' } },
    { title: 'videos by country', more: { dimensions: 'video,country', sort: '-views', maxResults: '5' } },
    { title: 'videos without a sort order', more: { dimensions: 'video', maxResults: '5' } },
    { title: 'videos without a maximum', more: { dimensions: 'video', sort: '-views' } },
    { title: 'likes by device type', more: { dimensions: 'deviceType', metrics: 'likes' } },
    { title: 'the dimension channel for a channel', more: { dimensions: 'channel' } },
    { title: 'countries filtered by a country', more: { dimensions: 'country', filters: 'country==GB' } },
    { title: 'a filter by a metric', more: { filters: 'views==5' } },
    {
      title: 'a group filter together with a video filter',
      more: { filters: 'group==it;video==adaEngine01' },
    },
    {
      title: 'more than two hundred videos',
      more: { dimensions: 'video', sort: '-views', maxResults: '201' },
    },
  ])('do not support $title', async ({ more }) => {
    const { status, body } = await query(more as Record<string, string>);
    expect([status, body.error.message]).toEqual([400, 'The query is not supported']);
  });

  test('accept the id of the own channel and the content owner', async () => {
    for (const ids of [`channel==${ADA}`, 'contentOwner==adaContentOwner0000001'])
      expect((await query({ ids })).body.rows).toHaveLength(1);
  });
});

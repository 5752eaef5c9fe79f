import type { Video } from '@svc/video';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collect } from '../../support/collect.js';
import { startVideo, type VideoService } from '../../support/upstreams/start-video.js';

const part = { part: 'snippet' };
const DAY = 24 * 60 * 60_000;

let video: VideoService;
let tools: Video;
let playlist_id: string;
let job_id: string;

beforeAll(async () => {
  video = await startVideo();
  tools = video.tools;
  const { data: playlists } = await tools.playlistsList({ ...part, mine: true });
  playlist_id = `${playlists.items?.find(({ snippet }) => snippet?.title === 'Mathematics')?.id}`;
  for (const report_type_id of ['channel_combined_a3', 'channel_device_os_a3']) {
    const { data: job } = await tools.reportingCreateJob({ report_type_id, name: report_type_id });
    job_id = job.id;
  }
  await video.service.sandbox.clock.advance(DAY);
  for (let count = 0; count < 21; count += 1) {
    await tools.analyticsGroupCreate({ title: `Group ${count}`, item_type: 'youtube#video' });
  }
});

afterAll(() => video.stop());

const ENGINE = { ...part, video_id: 'adaEngine01' };

async function subscribedIds(): Promise<string> {
  const { data } = await tools.subscriptionsList({ ...part, mine: true });
  return data.items?.map(({ snippet }) => snippet?.resourceId.channelId).join() ?? '';
}

async function commentWithReplies(): Promise<string> {
  const { data } = await tools.commentThreadsList(ENGINE);
  return `${data.items?.find(({ snippet }) => (snippet?.totalReplyCount ?? 0) > 0)?.id}`;
}

/** List that is read in one response, and again in smaller pages. */
interface Row {
  readonly title: string;
  readonly whole: () => Promise<readonly unknown[] | undefined>;
  readonly paged: () => Promise<AsyncIterable<unknown>>;
}

const system = { include_system_managed: true };

test.each<Row>([
  {
    title: 'channels',
    whole: async () => (await tools.channelsList({ ...part, id: await subscribedIds() })).data.items,
    paged: async () => tools.channelsList.each({ ...part, id: await subscribedIds(), max_results: 1 }),
  },
  {
    title: 'comment threads',
    whole: async () => (await tools.commentThreadsList(ENGINE)).data.items,
    paged: async () => tools.commentThreadsList.each({ ...ENGINE, max_results: 2 }),
  },
  {
    title: 'replies',
    whole: async () => (await tools.commentsList({ parent_id: await commentWithReplies() })).data.items,
    paged: async () => tools.commentsList.each({ parent_id: await commentWithReplies(), max_results: 4 }),
  },
  {
    title: 'items of a playlist',
    whole: async () => (await tools.playlistItemsList({ ...part, playlist_id })).data.items,
    paged: async () => tools.playlistItemsList.each({ ...part, playlist_id, max_results: 2 }),
  },
  {
    title: 'playlists',
    whole: async () => (await tools.playlistsList({ ...part, mine: true })).data.items,
    paged: async () => tools.playlistsList.each({ ...part, mine: true, max_results: 2 }),
  },
  {
    title: 'videos of a search',
    whole: async () => (await tools.search({ type: 'video' })).data.items,
    paged: async () => tools.search.each({ type: 'video', max_results: 3 }),
  },
  {
    title: 'subscriptions',
    whole: async () => (await tools.subscriptionsList({ ...part, mine: true })).data.items,
    paged: async () => tools.subscriptionsList.each({ ...part, mine: true, max_results: 1 }),
  },
  {
    title: 'popular videos',
    whole: async () =>
      (await tools.videosList({ ...part, chart: 'mostPopular', max_results: 50 })).data.items,
    paged: async () => tools.videosList.each({ ...part, chart: 'mostPopular', max_results: 2 }),
  },
  {
    title: 'jobs',
    whole: async () => (await tools.reportingListJobs(system)).data.jobs,
    paged: async () => tools.reportingListJobs.each({ ...system, page_size: 1 }),
  },
  {
    title: 'report types',
    whole: async () => (await tools.reportingListReportTypes(system)).data.reportTypes,
    paged: async () => tools.reportingListReportTypes.each({ ...system, page_size: 2 }),
  },
  {
    title: 'reports',
    whole: async () => (await tools.reportingListReports({ job_id })).data.reports,
    paged: async () => tools.reportingListReports.each({ job_id, page_size: 20 }),
  },
])('lists the same $title page by page and at once', async ({ whole, paged }) => {
  const expected = await whole();

  expect(await collect(await paged())).toEqual(expected);
  expect(expected?.length).toBeGreaterThan(1);
});

test('lists groups in pages whose size the upstream chooses', async () => {
  const groups = await collect(tools.analyticsGroupsList.each({ mine: true }));

  const titles = groups.map(({ snippet }) => snippet.title);
  expect(titles).toEqual(expect.arrayContaining(['Group 0', 'Group 20']));
  expect(new Set(titles).size).toBe(titles.length);
});

test('the tests above read a later page of every list', () => {
  expect(video.record.continued()).toEqual(video.record.paged);
});

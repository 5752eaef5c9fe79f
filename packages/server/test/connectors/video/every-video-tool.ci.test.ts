import type { Video } from '@svc/video';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collect } from '../../support/collect.js';
import { startVideo, type VideoService } from '../../support/upstreams/start-video.js';

const NEW = { title: 'Engines', description: 'From gears to code', privacy_status: 'unlisted' } as const;
const HALF_DAY = 12 * 60 * 60_000;

let video: VideoService;
let tools: Video;

beforeAll(async () => {
  video = await startVideo();
  tools = video.tools;
});

afterAll(() => video.stop());

const me = async () => {
  const { data } = await tools.channelsList({ part: 'snippet,contentDetails', mine: true });
  const [channel] = data.items ?? [];
  return { id: `${channel?.id}`, uploads: `${channel?.contentDetails?.relatedPlaylists.uploads}` };
};
const find = async (title: string) => {
  const { data } = await tools.search({ q: title, type: 'video' });
  return `${data.items?.[0]?.id.videoId}`;
};
const COMPILER = 'A compiler, explained';
const ENGINE = 'How the Analytical Engine works';

describe('playlists', () => {
  test('can be created, filled, changed, emptied and deleted', async () => {
    const { data: playlist } = await tools.playlistInsert(NEW);
    const video_id = await find(COMPILER);
    const { data: first } = await tools.playlistItemsInsert({ playlist_id: playlist.id, video_id });
    const { data: item } = await tools.playlistItemsInsert({
      playlist_id: playlist.id,
      video_id: await find(ENGINE),
      position: 0,
      note: 'Start here',
    });
    const list = { part: 'snippet,contentDetails', playlist_id: playlist.id, max_results: 1 };
    const items = await collect(tools.playlistItemsList.each(list));
    await tools.playlistUpdate({ playlist_id: playlist.id, title: 'Engines and code' });
    const { data: changed } = await tools.playlistsList({ part: 'snippet,status', id: playlist.id });
    const { data: nothing } = await tools.playlistItemsDelete({ playlist_item_id: first.id });
    const left = await collect(tools.playlistItemsList.each(list));
    await tools.playlistDelete({ playlist_id: playlist.id });
    const { data: mine } = await tools.playlistsList({ part: 'snippet', mine: true, max_results: 50 });

    expect(items.map(({ id }) => id)).toEqual([item.id, first.id]);
    expect(items[0]).toMatchObject({ snippet: { position: 0 }, contentDetails: { note: 'Start here' } });
    expect(changed.items).toMatchObject([
      {
        snippet: { title: 'Engines and code', description: NEW.description },
        status: { privacyStatus: 'unlisted' },
      },
    ]);
    expect(nothing).toBeNull();
    expect(left.map(({ id }) => id)).toEqual([item.id]);
    expect(mine.items?.map(({ id }) => id)).not.toContain(playlist.id);
  });
});

describe('videos', () => {
  test('can be listed from the uploads of a channel and fetched by id', async () => {
    const { id, uploads } = await me();
    const { data: listed } = await tools.playlistItemsList({ part: 'contentDetails', playlist_id: uploads });
    const [first, second] = listed.items?.map(({ contentDetails }) => `${contentDetails?.videoId}`) ?? [];
    const { data: videos } = await tools.videosList({
      part: 'snippet,statistics',
      id: `${first},${second}`,
    });

    expect(videos.items?.map(({ snippet }) => snippet?.channelId)).toEqual([id, id]);
    expect(videos.items?.[0]?.statistics?.viewCount).toMatch(/^\d+$/);
  });

  test('keep their unchanged fields', async () => {
    const part = 'snippet,status';
    const id = await find(ENGINE);
    const { data: before } = await tools.videosList({ part, id });
    const [old] = before.items ?? [];
    const title = 'The engine, explained';
    await tools.videosUpdate({ video_id: id, title, category_id: '27', embeddable: false });
    const { data: after } = await tools.videosList({ part, id });

    expect(old?.snippet).toMatchObject({ tags: [expect.anything(), expect.anything(), expect.anything()] });
    expect(after.items).toMatchObject([
      {
        snippet: {
          title,
          categoryId: '27',
          description: old?.snippet?.description,
          tags: old?.snippet?.tags,
          defaultLanguage: old?.snippet?.defaultLanguage,
          defaultAudioLanguage: old?.snippet?.defaultAudioLanguage,
        },
        status: { ...old?.status, embeddable: false },
      },
    ]);
    await tools.videosUpdate({
      video_id: id,
      title: ENGINE,
      category_id: `${old?.snippet?.categoryId}`,
      embeddable: true,
    });
  });

  test('can be rated, and the rating can be removed', async () => {
    const id = await find(ENGINE);
    const ratings = [];
    for (const rating of ['like', 'dislike', 'remove'] as const) {
      await tools.videosRate({ video_id: id, rating });
      const { data } = await tools.videosGetRating({ id });
      ratings.push(data.items?.[0]?.rating);
    }

    expect(ratings).toEqual(['like', 'dislike', 'none']);
  });

  test('have categories and captions', async () => {
    const { data: categories } = await tools.videoCategoriesList({ region_code: 'DE' });
    const { data: captions } = await tools.captionsList({ video_id: await find(ENGINE) });

    expect(categories.items?.some(({ snippet }) => snippet.assignable)).toBe(true);
    expect(captions.items?.map(({ snippet }) => snippet.language).sort()).toEqual(['de', 'en', 'en']);
  });

  test('are uploaded as private and accept a thumbnail', async () => {
    const content = Buffer.from('a film').toString('base64');
    const { data: made } = await tools.videosInsert({ title: 'Gears', content, tags: ['engine'] });
    const header = Buffer.alloc(32);
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(header);
    header.writeUInt32BE(1280, 16);
    header.writeUInt32BE(720, 20);
    const image = header.toString('base64');
    const { data: picture } = await tools.thumbnailsSet({ video_id: made.id, image });
    const { data: stored } = await tools.videosList({ part: 'snippet,status', id: made.id });
    await tools.videosDelete({ video_id: made.id });

    expect(picture.items?.[0]?.['uhd']).toMatchObject({ width: 3840 });
    expect(stored.items).toMatchObject([
      { snippet: { title: 'Gears', tags: ['engine'] }, status: { privacyStatus: 'private' } },
    ]);
  });

  test('can be uploaded with up to 8 MiB', async () => {
    const content = Buffer.alloc(8 * 1024 * 1024, 1).toString('base64');
    const { data } = await tools.videosInsert({ title: 'Long', content });
    const { data: nothing } = await tools.videosDelete({ video_id: data.id });
    expect(nothing).toBeNull();
  });

  test('provide their captions as text', async () => {
    const { data: captions } = await tools.captionsList({ video_id: await find(ENGINE) });
    const caption_id = `${captions.items?.find(({ snippet }) => snippet.language === 'de')?.id}`;
    const { data: spoken } = await tools.captionsDownload({ caption_id });
    const { data: vtt } = await tools.captionsDownload({ caption_id, format: 'vtt' });

    expect(spoken).toEqual({ id: caption_id, format: 'text', text: 'The engine (de)\nweaves.' });
    expect(vtt.text).toMatch(/^WEBVTT\n\n00:00:00\.000 --> /);
    await expect(tools.captionsDownload({ caption_id: 'nothing' })).rejects.toThrow(/video_captions_list/);
  });

  test('report statistics for several ids at once', async () => {
    const id = `${await find(ENGINE)},${await find(COMPILER)}`;
    const { data } = await tools.videosBatchGetStats({ id });

    expect(data.items?.map((item) => item.id)).toEqual(id.split(','));
    expect(data.items?.[0]?.statistics?.viewCount).toMatch(/^\d+$/);
  });

  test('can be deleted permanently', async () => {
    const id = await find('Bernoulli numbers by engine');
    const { data: nothing } = await tools.videosDelete({ video_id: id });
    const { data: left } = await tools.videosList({ part: 'id', id });

    expect(nothing).toBeNull();
    expect(left.items ?? []).toEqual([]);
  });
});

describe('users of the video service', () => {
  test('can comment, and all replies are listed', async () => {
    const video_id = await find(ENGINE);
    const { data: thread } = await tools.commentThreadsInsert({ video_id, text: 'Well explained!' });
    const threads = await collect(
      tools.commentThreadsList.each({ part: 'snippet', video_id, max_results: 2 }),
    );
    const popular = threads.find(({ snippet }) => (snippet?.totalReplyCount ?? 0) > 5);
    const replies = await collect(
      tools.commentsList.each({ parent_id: `${popular?.id}`, max_results: 4, text_format: 'plainText' }),
    );
    const { data: reply } = await tools.commentsInsert({ parent_id: thread.id, text: 'Thank you!' });
    const { data: threadReplies } = await tools.commentsList({ parent_id: thread.id });
    const { data: byId } = await tools.commentsList({ id: `${replies[0]?.id}` });

    expect(threads.map(({ id }) => id)).toContain(thread.id);
    expect(thread.snippet?.topLevelComment.snippet.textOriginal).toBe('Well explained!');
    expect(replies).toHaveLength(popular?.snippet?.totalReplyCount ?? 0);
    expect(byId.items?.[0]?.id).toBe(replies[0]?.id);
    expect(threadReplies.items?.map(({ id }) => id)).toEqual([reply.id]);
  });

  test('can subscribe, and unsubscribe by the id of the subscription', async () => {
    const { data: results } = await tools.search({ q: 'Babbage', type: 'channel' });
    const channel_id = `${results.items?.[0]?.id.channelId}`;
    const follows = { part: 'snippet', mine: true, for_channel_id: channel_id } as const;
    const { data: subscription } = await tools.subscriptionsInsert({ channel_id });
    const { data: during } = await tools.subscriptionsList(follows);
    await tools.subscriptionsDelete({ subscription_id: subscription.id });
    const { data: after } = await tools.subscriptionsList(follows);

    expect(during.items?.map(({ id }) => id)).toEqual([subscription.id]);
    expect(after.items ?? []).toEqual([]);
  });
});

describe('analytics', () => {
  test('can query a group of videos that is created, renamed, emptied and deleted', async () => {
    const { data: group } = await tools.analyticsGroupCreate({ title: 'G', item_type: 'youtube#video' });
    const group_id = group.id;
    const member = { group_id, resource_id: await find(ENGINE), resource_kind: 'youtube#video' } as const;
    const { data: added } = await tools.analyticsGroupItemInsert(member);
    const { data: again } = await tools.analyticsGroupItemInsert(member);
    const { data: table } = await tools.analyticsQuery({
      ids: 'channel==MINE',
      metrics: 'views',
      dimensions: 'video',
      filters: `group==${group_id}`,
      sort: '-views',
      max_results: 10,
      start_date: '2026-11-01',
      end_date: '2026-11-10',
    });
    await tools.analyticsGroupsUpdate({ group_id, title: 'Engines' });
    const { data: groups } = await tools.analyticsGroupsList({ id: group_id });
    const { data: members } = await tools.analyticsGroupItemsList({ group_id });
    const { data: removed } = await tools.analyticsGroupItemsDelete({ id: `${members.items?.[0]?.id}` });
    const { data: rest } = await tools.analyticsGroupItemsList({ group_id });
    const { data: deleted } = await tools.analyticsGroupsDelete({ group_id });
    const { data: left } = await tools.analyticsGroupsList({ id: group_id });

    expect(again).toBeNull();
    expect(table.columnHeaders.map(({ name }) => name)).toEqual(['video', 'views']);
    expect(table.rows).toEqual([[member.resource_id, expect.any(Number)]]);
    expect(groups.items).toMatchObject([
      { id: group_id, snippet: { title: 'Engines' }, contentDetails: { itemCount: '1' } },
    ]);
    expect(members.items).toEqual([added]);
    expect([removed, deleted]).toEqual([null, null]);
    expect([rest.items, left.items]).toEqual([[], []]);
  });
});

describe('reporting', () => {
  test('creates reports through a job until the job is deleted', async () => {
    const { data: types } = await tools.reportingListReportTypes();
    const { data: before } = await tools.reportingListJobs();
    const taken = before.jobs?.map(({ reportTypeId }) => reportTypeId) ?? [];
    const free = types.reportTypes?.find(({ id, deprecateTime }) => !deprecateTime && !taken.includes(id));
    const { data: job } = await tools.reportingCreateJob({ report_type_id: `${free?.id}`, name: 'Daily' });
    const job_id = job.id;
    const { data: during } = await tools.reportingListJobs();
    await video.service.sandbox.clock.advance(HALF_DAY);
    const { data: reports } = await tools.reportingListReports({
      job_id,
      start_time_at_or_after: '2026-11-10T00:00:00Z',
      start_time_before: '2026-11-12T00:00:00Z',
    });
    const { data: deleted } = await tools.reportingJobsDelete({ job_id });
    const { data: after } = await tools.reportingListJobs();

    expect(during.jobs).toContainEqual(job);
    expect(reports.reports?.map(({ startTime }) => startTime)).toEqual([
      '2026-11-11T00:00:00Z',
      '2026-11-10T00:00:00Z',
    ]);
    expect(deleted).toBeNull();
    expect(after).toEqual(before);
  });
});

test('the tests above call every tool of the catalogue', () => {
  process.stdout.write(`${video.record.coverage()}\n`);

  expect(video.record.called()).toEqual(video.record.names);
});

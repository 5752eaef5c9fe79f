import { type Video, video } from '@svc/video';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectAccount, type Service, startService } from './service.js';
import { collect } from './support/collect.js';
import { recordTools, type ToolRecord } from './support/record-tools.js';

const NEW = { title: 'Engines', description: 'From gears to code', privacy_status: 'unlisted' } as const;

let service: Service;
let record: ToolRecord;
let tools: Video;

beforeAll(async () => {
  service = await startService({ connectors: ['video'] });
  record = recordTools(service, 'video');
  tools = video(record, await connectAccount(service, 'video'));
});

afterAll(() => service.stop());

/** The channel of the user, and a video of somebody else. */
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
  test('are made, filled, changed, emptied and deleted', async () => {
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
  test('are found in the uploads of a channel, and by their ids', async () => {
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

  test('keep what is not changed about them', async () => {
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

  test('are rated, and the rating is taken back', async () => {
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

  test('are deleted for good', async () => {
    const id = await find('Bernoulli numbers by engine');
    const { data: nothing } = await tools.videosDelete({ video_id: id });
    const { data: left } = await tools.videosList({ part: 'id', id });

    expect(nothing).toBeNull();
    expect(left.items ?? []).toEqual([]);
  });
});

describe('people', () => {
  test('comment, and their replies are listed whole', async () => {
    const video_id = await find(ENGINE);
    const { data: thread } = await tools.commentThreadsInsert({ video_id, text: 'Well explained!' });
    const threads = await collect(
      tools.commentThreadsList.each({ part: 'snippet', video_id, max_results: 2 }),
    );
    const answered = threads.find(({ snippet }) => (snippet?.totalReplyCount ?? 0) > 5);
    const replies = await collect(
      tools.commentsList.each({ parent_id: `${answered?.id}`, max_results: 4, text_format: 'plainText' }),
    );
    const { data: byId } = await tools.commentsList({ id: `${replies[0]?.id}` });

    expect(threads.map(({ id }) => id)).toContain(thread.id);
    expect(thread.snippet?.topLevelComment.snippet.textOriginal).toBe('Well explained!');
    expect(replies).toHaveLength(answered?.snippet?.totalReplyCount ?? 0);
    expect(byId.items?.[0]?.id).toBe(replies[0]?.id);
  });

  test('subscribe, and end it by the id of the subscription', async () => {
    const { data: found } = await tools.search({ q: 'Babbage', type: 'channel' });
    const channel_id = `${found.items?.[0]?.id.channelId}`;
    const follows = { part: 'snippet', mine: true, for_channel_id: channel_id } as const;
    const { data: subscription } = await tools.subscriptionsInsert({ channel_id });
    const { data: during } = await tools.subscriptionsList(follows);
    await tools.subscriptionsDelete({ subscription_id: subscription.id });
    const { data: after } = await tools.subscriptionsList(follows);

    expect(during.items?.map(({ id }) => id)).toEqual([subscription.id]);
    expect(after.items ?? []).toEqual([]);
  });
});

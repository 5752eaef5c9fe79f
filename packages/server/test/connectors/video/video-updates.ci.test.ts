import type { Video, VideosUpdateInput } from '@svc/video';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejection } from '../../support/rejection.js';
import { startVideo, type VideoService } from '../../support/upstreams/start-video.js';

let video: VideoService;
let tools: Video;

beforeAll(async () => {
  video = await startVideo();
  tools = video.tools;
});

afterAll(() => video.stop());

beforeEach(() => video.clear());

const calls = async () =>
  (await video.service.sandbox.requests()).map(({ method, status }) => [method, status]);

/** Reads a video with the parts that its owner may see. */
async function videoOf(id: string) {
  const { data } = await tools.videosList({ part: 'snippet,status,localizations', id });
  return data.items?.[0];
}

/** Finds the user's playlist with this title. */
async function playlistOf(title: string) {
  const part = 'snippet,status,localizations';
  const { data } = await tools.playlistsList({ part, mine: true, max_results: 50 });
  return data.items?.find(({ snippet }) => snippet?.title === title);
}

describe('an update of a video', () => {
  const ENGINE = 'adaEngine01';
  const DRAFT = 'adaDraft_04';
  const required = { title: 'The engine', category_id: '28' };

  // Each row updates a video and lists the fields that must differ afterwards. All other fields must stay unchanged.
  test.each<{ title: string; change: VideosUpdateInput; snippet?: object; status?: object }>([
    { title: 'title', change: { video_id: ENGINE, ...required }, snippet: { title: required.title } },
    { title: 'tags', change: { video_id: ENGINE, ...required, tags: ['mill'] }, snippet: { tags: ['mill'] } },
    {
      title: 'description',
      change: { video_id: ENGINE, ...required, description: '' },
      snippet: { description: '' },
    },
    { title: 'embedding', change: { video_id: ENGINE, embeddable: false }, status: { embeddable: false } },
    { title: 'licence', change: { video_id: DRAFT, license: 'youtube' }, status: { license: 'youtube' } },
    {
      title: 'visible statistics',
      change: { video_id: DRAFT, public_stats_viewable: true },
      status: { publicStatsViewable: true },
    },
    { title: 'unchanged privacy', change: { video_id: DRAFT, privacy_status: 'private' } },
  ])('keeps everything but the $title', async ({ change, snippet, status }) => {
    const before = await videoOf(change.video_id);
    await tools.videosUpdate(change);
    const after = await videoOf(change.video_id);

    const localized = expect.anything();
    expect(after).toEqual({
      ...before,
      etag: expect.any(String),
      snippet: { ...before?.snippet, ...snippet, localized },
      status: { ...before?.status, ...status },
    });
  });

  test('removes the planned publication when it publishes the video', async () => {
    const before = await videoOf(DRAFT);
    await tools.videosUpdate({ video_id: DRAFT, privacy_status: 'public' });
    const after = await videoOf(DRAFT);

    const { publishAt, ...status } = before?.status ?? {};
    expect(publishAt).toBeDefined();
    expect(after?.status).toEqual({ ...status, privacyStatus: 'public' });
  });

  test('reads only the parts that it writes', async () => {
    await tools.videosUpdate({ video_id: ENGINE, embeddable: true });

    const queries = (await video.service.sandbox.requests()).map(({ query }) => query);
    expect(queries.map((query) => new URLSearchParams(query).get('part'))).toEqual(['status', 'status']);
  });

  test('writes nothing for a missing video', async () => {
    const error = await rejection(tools.videosUpdate({ video_id: 'none', embeddable: true }));

    expect(error).toMatchObject({ code: 'not_found', message: expect.stringContaining('no video "none"') });
    expect(await calls()).toEqual([['GET', 200]]);
  });
});

test('a brand partner that the proxy links is listed, and survives an update by the tool', async () => {
  const partnerOf = async () =>
    (await tools.videosList({ part: 'brandPartner', id: 'adaEngine01' })).data.items?.[0]?.brandPartner;
  expect(await partnerOf()).toBeUndefined();

  const path = '/v1/proxy/video/user_42/youtube/v3/videos?part=brandPartner';
  const body = { id: 'adaEngine01', brandPartner: { channelHandle: '@RoyalSociety' } };
  const linked = await video.application.call('PUT', path, { body });
  expect(linked).toMatchObject({ status: 200 });

  const partner = { channelId: expect.stringMatching(/^UC/) };
  expect(await partnerOf()).toEqual(partner);
  await tools.videosUpdate({ video_id: 'adaEngine01', embeddable: false });
  expect(await partnerOf()).toEqual(partner);
});

describe('an update of a playlist', () => {
  test('keeps tags, language, privacy and podcast status when the title changes', async () => {
    const before = await playlistOf('Mathematics');
    await tools.playlistUpdate({ playlist_id: `${before?.id}`, title: 'Numbers' });
    const after = await playlistOf('Numbers');

    expect(before?.snippet).toMatchObject({ tags: ['numbers'], defaultLanguage: 'en' });
    expect(after).toMatchObject({
      snippet: { tags: ['numbers'], defaultLanguage: 'en', description: before?.snippet?.description },
      status: { ...before?.status },
    });
  });

  test('keeps texts and podcast status when the privacy changes', async () => {
    const before = await playlistOf('To watch');
    await tools.playlistUpdate({ playlist_id: `${before?.id}`, privacy_status: 'unlisted' });
    const after = await playlistOf('To watch');

    expect(after?.snippet).toEqual(before?.snippet);
    expect(after?.status).toEqual({ privacyStatus: 'unlisted', podcastStatus: 'disabled' });
  });

  test('writes nothing for a missing playlist', async () => {
    const error = await rejection(tools.playlistUpdate({ playlist_id: 'PLnone', title: 'Numbers' }));

    expect(error).toMatchObject({ code: 'not_found' });
    expect((await calls()).map(([method]) => method)).toEqual(['GET']);
  });
});

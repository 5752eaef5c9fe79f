import type { Outcome } from '../../../google/method.js';
import { rules } from '../../../google/parameter-rules.js';
import { withEtag, within } from '../body.js';
import { forbidden, missingParameter, noFilter, refuse } from '../refusals.js';
import { READING, UPLOADING, WRITING } from '../scopes.js';
import { isVisible, newVideoId, type Rating, timeOf, type Video } from '../world.js';
import { type Call, type Method, OWNED, OWNED_CHANNEL, serviceMethods } from './call.js';
import { checkLanguage, idsOf, oneFilter, readRegion, refuseWith, requiredText } from './filters.js';
import { ownVideo, visibleVideo } from './find-video.js';
import { mediaOf } from './media.js';
import { writtenLocalizations } from './playlist-parts.js';
import { listPage, type PartMakers, partNames, presentResource } from './resource.js';
import {
  updateVideo,
  VIDEO_BODY,
  writtenBrandPartner,
  writtenSnippet,
  writtenStatus,
} from './update-video.js';
import { durationOf, OWNER_PARTS, presentStatistics, VIDEO_MAKERS } from './video-parts.js';

const FILTERS = ['id', 'chart', 'myRating'] as const;
const PAGING = ['maxResults', 'pageToken'];
const CHART_ONLY = ['regionCode', 'videoCategoryId'];
const PARTS = partNames(VIDEO_MAKERS);
const PLAYER_SIZE = { min: 72, max: 8192 };

export const videoMethods = serviceMethods('Video', '/videos', {
  List: {
    scopes: READING,
    parameters: {
      id: 'texts',
      chart: { words: ['chartUnspecified', 'mostPopular'] },
      myRating: { words: ['none', 'like', 'dislike'] },
      maxResults: { min: 1, max: 50 },
      ...rules('text', 'pageToken regionCode videoCategoryId hl locale'),
      maxHeight: PLAYER_SIZE,
      maxWidth: PLAYER_SIZE,
      ...OWNED,
    },
    parts: PARTS,
    handle: listVideos,
  },
  Update: {
    scopes: WRITING,
    parameters: OWNED,
    parts: PARTS,
    body: VIDEO_BODY,
    handle: (call) => ({ body: present(call)(updateVideo(call)) }),
  },
  Delete: { scopes: WRITING, parameters: { id: 'text', ...OWNED }, needs: ['id'], handle: deleteVideo },
});

const present = (call: Call) => (video: Video) =>
  presentResource(video, { kind: 'video', makers: VIDEO_MAKERS, call });

function listVideos(call: Call): Outcome {
  const { me, parameters, parts } = call;
  checkLanguage(parameters.text('hl'));
  const filter = oneFilter(call, FILTERS);
  if (filter === 'id') refuseWith(call, filter, PAGING);
  if (filter !== 'chart') refuseWith(call, filter, CHART_ONLY);
  const videos = FIND[filter](call);
  if (OWNER_PARTS.some((part) => parts.has(part)) && videos.some(({ channelId }) => channelId !== me.id))
    throw forbidden();
  const size = filter === 'id' ? videos.length : parameters.integer('maxResults', 5);
  return { body: listPage(call, videos, { kind: 'videoListResponse', size, present: present(call) }) };
}

const FIND: Readonly<Record<(typeof FILTERS)[number], (call: Call) => Video[]>> = {
  id: (call) =>
    idsOf(call)
      .flatMap((id) => call.world.videos.get(id) ?? [])
      .filter((video) => isVisible(video, call.me)),
  chart: mostPopular,
  myRating({ world, me, parameters }) {
    const rating = parameters.text('myRating');
    return [...(world.ratings.get(me.id) ?? [])]
      .filter(([, one]) => one === rating)
      .flatMap(([id]) => world.videos.get(id) ?? []);
  },
};

function mostPopular(call: Call): Video[] {
  const { world, parameters } = call;
  if (parameters.text('chart') === 'chartUnspecified') throw noFilter(FILTERS);
  readRegion(call);
  const category = parameters.text('videoCategoryId');
  return [...world.videos.values()]
    .filter(({ status }) => status.privacyStatus === 'public')
    .filter(({ snippet }) => category === undefined || category === '0' || snippet.categoryId === category)
    .sort((a, b) => b.views - a.views);
}

function deleteVideo(call: Call): Outcome {
  const { world } = call;
  const { id } = ownVideo(call, requiredText(call, 'id'));
  world.videos.delete(id);
  for (const ratings of world.ratings.values()) ratings.delete(id);
  for (const belongings of [world.comments, world.captions])
    for (const one of [...belongings.values()]) if (one.videoId === id) belongings.delete(one.id);
  return { status: 204 };
}

const LARGEST = 128 * 1024 ** 3;
const UNNAMED = { title: 'unknown', categoryId: '22' };

export const uploadMethods = serviceMethods('Video', '/videos', {
  Insert: {
    scopes: UPLOADING,
    parameters: { autoLevels: 'flag', notifySubscribers: 'flag', stabilize: 'flag', ...OWNED_CHANNEL },
    parts: partNames(VIDEO_MAKERS),
    body: VIDEO_BODY,
    takes: { types: ['video/*', 'application/octet-stream'], most: LARGEST },
    handle: insertVideo,
  },
});

function insertVideo(call: Call): Outcome {
  const { world, me, body } = call;
  mediaOf(call);
  const snippet = writtenSnippet({ snippet: { ...UNNAMED, ...within(body, 'snippet') } });
  const status = writtenStatus(body, { wasPublished: false });
  const video: Video = {
    id: newVideoId(),
    channelId: me.id,
    publishedAt: world.now(),
    // Duration is always 1 second, because the sandbox does not decode the uploaded file.
    seconds: 1,
    views: 0,
    likes: 0,
    takesRatings: true,
    takesComments: true,
    snippet,
    status,
    recordingDetails: {},
    localizations: writtenLocalizations(body, snippet),
    paidProductPlacementDetails: within(body, 'paidProductPlacementDetails'),
    brandPartner: writtenBrandPartner(call),
    wasPublished: status.privacyStatus === 'public',
  };
  world.videos.set(video.id, video);
  return { body: presentResource(video, { kind: 'video', makers: VIDEO_MAKERS, call }) };
}

const RATINGS = ['like', 'dislike'] as const;

export const ratingMethods = serviceMethods('Video', '/videos/getRating', {
  GetRating: { scopes: READING, parameters: { id: 'texts', ...OWNED }, needs: ['id'], handle: getRating },
  Rate: {
    path: '/videos/rate',
    scopes: WRITING,
    parameters: { id: 'text', rating: { words: ['none', ...RATINGS] } },
    needs: ['id', 'rating'],
    handle: rate,
  },
});

function getRating(call: Call): Outcome {
  const { world, me } = call;
  const ids = idsOf(call);
  if (ids.length === 0) throw missingParameter('id');
  const items = ids.map((id) => {
    const video = visibleVideo(call, id);
    return { videoId: video.id, rating: world.ratings.get(me.id)?.get(video.id) ?? 'none' };
  });
  return { body: withEtag({ kind: 'youtube#videoGetRatingResponse', items }) };
}

function rate(call: Call): Outcome {
  const { world, me } = call;
  const rating = call.parameters.choice('rating', RATINGS);
  const video = visibleVideo(call, requiredText(call, 'id'));
  if (!video.takesRatings)
    throw refuse(403, 'videoRatingDisabled', 'The owner of the video has disabled ratings for that video.');
  const mine = world.ratings.get(me.id) ?? new Map<string, Rating>();
  if (rating === undefined) mine.delete(video.id);
  else mine.set(video.id, rating);
  world.ratings.set(me.id, mine);
  return { status: 204 };
}

const MAKERS: PartMakers<Video> = {
  snippet: ({ publishedAt }) => ({ publishTime: timeOf(publishedAt) }),
  contentDetails: ({ seconds }) => ({
    duration: durationOf(seconds),
    durationMillis: String(seconds * 1000),
  }),
  statistics(video, call) {
    const { favoriteCount: _, ...statistics } = presentStatistics(video, call);
    return statistics;
  },
};

export const videoStatsMethods: readonly Method[] = [
  ...serviceMethods('Video', '/videos::batchGetStats', {
    BatchGetStats: {
      verb: 'GET',
      scopes: READING,
      parameters: { id: 'texts', ...OWNED },
      parts: partNames(MAKERS),
      partsAreOptional: true,
      handle: batchGetStats,
    },
  }),
  ...serviceMethods('VideoTrainability', '/videoTrainability', {
    Get: {
      scopes: READING,
      parameters: { id: 'text' },
      handle(call) {
        const { id } = visibleVideo(call, requiredText(call, 'id'));
        // Training is never permitted. Owners could allow it only in YouTube Studio, which the sandbox does not
        // emulate.
        return { body: withEtag({ kind: 'youtube#videoTrainability', videoId: id, permitted: ['none'] }) };
      },
    },
  }),
];

function batchGetStats(call: Call) {
  const ids = idsOf(call);
  if (ids.length === 0) throw refuse(400, 'videoIdRequired', 'The request must name videos.');
  const items = ids
    .flatMap((id) => call.world.videos.get(id) ?? [])
    .filter((video) => isVisible(video, call.me))
    .map((video) => presentResource(video, { kind: 'videoStat', makers: MAKERS, call }));
  return { body: withEtag({ kind: 'youtube#batchGetStatsResponse', items }) };
}

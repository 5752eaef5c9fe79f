import type { Outcome } from '../../../google/method.js';
import { forbidden, noFilter } from '../refusals.js';
import { READING, WRITING } from '../scopes.js';
import { isVisible, type Video } from '../world.js';
import { type Call, serviceMethods } from './call.js';
import { checkLanguage, idsOf, oneFilter, readRegion, refuseBeside, requiredText } from './filters.js';
import { ownVideo } from './find-video.js';
import { listPage } from './list-page.js';
import { OWNED } from './owner-parameters.js';
import { partNames, presentResource } from './resource.js';
import { updateVideo, VIDEO_BODY } from './update-video.js';
import { OWNER_PARTS, VIDEO_MAKERS } from './video-parts.js';

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
      pageToken: 'text',
      regionCode: 'text',
      videoCategoryId: 'text',
      hl: 'text',
      locale: 'text',
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
  if (filter === 'id') refuseBeside(call, filter, PAGING);
  if (filter !== 'chart') refuseBeside(call, filter, CHART_ONLY);
  const found = FIND[filter](call);
  if (OWNER_PARTS.some((part) => parts.has(part)) && found.some(({ channelId }) => channelId !== me.id))
    throw forbidden();
  const size = filter === 'id' ? found.length : parameters.integer('maxResults', 5);
  return { body: listPage(call, found, { kind: 'videoListResponse', size, present: present(call) }) };
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

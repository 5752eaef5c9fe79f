import type { Outcome } from '../../../google/method.js';
import { refuse } from '../refusals.js';
import { VIEWING } from '../scopes.js';
import { type Fields, timeOf, type World } from '../world.js';
import { type Call, serviceMethods } from './call.js';
import { oneFilter, readRegion } from './filters.js';
import { listPage, PAGED, type PartMakers, partNames, presentResource, thumbnails } from './resource.js';

/** A public action of a channel, such as an upload. */
interface Activity {
  readonly id: string;
  readonly channelId: string;
  readonly at: number;
  readonly type: 'upload' | 'playlistItem' | 'subscription';
  readonly title: unknown;
  readonly description: unknown;
  readonly picture: string;
  readonly details: Fields;
}

const MAKERS: PartMakers<Activity> = {
  snippet: ({ channelId, at, type, title, description, picture }, { world }) => ({
    publishedAt: timeOf(at),
    channelId,
    title,
    description,
    thumbnails: thumbnails(picture),
    channelTitle: world.channels.get(channelId)?.title,
    type,
  }),
  contentDetails: ({ type, details }) => ({ [type]: details }),
};

export const activityMethods = serviceMethods('Activity', '/activities', {
  List: {
    scopes: VIEWING,
    parameters: {
      channelId: 'text',
      home: 'flag',
      mine: 'flag',
      publishedAfter: 'moment',
      publishedBefore: 'moment',
      regionCode: 'text',
      ...PAGED,
    },
    parts: partNames(MAKERS),
    handle: listActivities,
  },
});

function listActivities(call: Call): Outcome {
  const { parameters, world } = call;
  readRegion(call);
  const channels = channelsOf(call);
  const after = parameters.time('publishedAfter') ?? Number.NEGATIVE_INFINITY;
  const before = parameters.time('publishedBefore') ?? Number.POSITIVE_INFINITY;
  const entries = [...uploads(world), ...additions(world), ...subscriptions(call)]
    .filter(({ channelId, at }) => channels.has(channelId) && at >= after && at < before)
    .sort((a, b) => b.at - a.at);
  return {
    body: listPage(call, entries, {
      kind: 'activityListResponse',
      size: parameters.integer('maxResults', 5),
      present: (activity) => presentResource(activity, { kind: 'activity', makers: MAKERS, call }),
    }),
  };
}

/** Returns the channels whose activities are requested. The home feed contains the person's subscriptions. */
function channelsOf(call: Call): Set<string> {
  const { world, me, parameters } = call;
  const filter = oneFilter(call, ['channelId', 'home', 'mine']);
  if (filter === 'mine') return new Set([me.id]);
  if (filter === 'home') {
    const mine = [...world.subscriptions.values()].filter(({ subscriberId }) => subscriberId === me.id);
    return new Set(mine.map(({ channelId }) => channelId));
  }
  const channel = world.channels.get(parameters.text('channelId') ?? '');
  if (channel === undefined) throw refuse(404, 'channelNotFound', 'The channel cannot be found.');
  return new Set([channel.id]);
}

const idFor = (text: string): string => Buffer.from(text).toString('base64url');

function uploads({ videos }: World): Activity[] {
  return [...videos.values()]
    .filter(({ status }) => status.privacyStatus === 'public')
    .map(({ id, channelId, publishedAt, snippet }) => ({
      id: idFor(`upload of ${id}`),
      channelId,
      at: publishedAt,
      type: 'upload',
      title: snippet.title,
      description: snippet.description,
      picture: `vi/${id}`,
      details: { videoId: id },
    }));
}

function additions({ playlists, videos }: World): Activity[] {
  return [...playlists.values()]
    .filter(({ status }) => status.privacyStatus === 'public')
    .flatMap(({ id: playlistId, channelId, items }) =>
      items.map(({ id, videoId, addedAt }) => ({
        id: idFor(`item ${id}`),
        channelId,
        at: addedAt,
        type: 'playlistItem' as const,
        title: videos.get(videoId)?.snippet.title,
        description: videos.get(videoId)?.snippet.description,
        picture: `vi/${videoId}`,
        details: { resourceId: { kind: 'youtube#video', videoId }, playlistId, playlistItemId: id },
      })),
    );
}

// Subscriptions are visible only to the subscriber, unless the subscriber's channel publishes them.
function subscriptions({ world, me }: Call): Activity[] {
  return [...world.subscriptions.values()]
    .filter(({ subscriberId: id }) => id === me.id || world.channels.get(id)?.showsSubscriptions)
    .map(({ id, subscriberId, channelId, publishedAt }) => ({
      id: idFor(`subscription ${id}`),
      channelId: subscriberId,
      at: publishedAt,
      type: 'subscription',
      title: world.channels.get(channelId)?.title,
      description: world.channels.get(channelId)?.description,
      picture: `ch/${channelId}`,
      details: { resourceId: { kind: 'youtube#channel', channelId } },
    }));
}

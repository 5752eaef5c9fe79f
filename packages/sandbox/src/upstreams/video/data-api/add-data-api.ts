import type { FastifyInstance } from 'fastify';
import { errorBody } from '../../../google/api-error.js';
import { addBatch } from '../../../google/batch.js';
import { addMethods, addNotEmulated } from '../../../google/method.js';
import type { World } from '../world.js';
import { abuseMethods } from './abuse.js';
import { activityMethods } from './activities.js';
import { addUploads, type Uploads } from './add-uploads.js';
import { type Method, readCall, type Surroundings } from './call.js';
import { captionMethods } from './captions.js';
import { categoryMethods } from './categories.js';
import { channelSectionMethods } from './channel-sections.js';
import { channelMethods } from './channels.js';
import { commentThreadMethods } from './comment-threads.js';
import { commentMethods, commentWritingMethods } from './comments.js';
import { languageMethods } from './languages.js';
import { liveBroadcastMethods, runningMethods } from './live-broadcasts.js';
import { liveChatMessageMethods } from './live-chat-messages.js';
import { liveChatPeopleMethods } from './live-chat-people.js';
import { liveStreamMethods } from './live-streams.js';
import { memberMethods } from './members.js';
import { moderationMethods } from './moderate-comments.js';
import { pictureMethods } from './pictures.js';
import { playlistImageMethods } from './playlist-images.js';
import { playlistItemMethods } from './playlist-items.js';
import { playlistMethods } from './playlists.js';
import { searchMethods } from './search.js';
import { subscriptionMethods } from './subscriptions.js';
import { thirdPartyLinkMethods } from './third-party-links.js';
import { ratingMethods, uploadMethods, videoMethods, videoStatsMethods } from './videos.js';

const LEFT_OUT = {
  'PUT /playlistItems': 'No tool moves an item: it is removed, and inserted at its new position.',
  'PUT /commentThreads': 'The reference no longer documents it, because it changes comments only.',
  'GET /liveChat/messages/stream': 'It is an endless response; polling the list returns the same.',
  'POST /tests': "It is for the service's own developers, and has no visible effect.",
};

const NOT_EMULATED = Object.keys(LEFT_OUT);

const METHODS: readonly Method[] = [
  ...channelMethods,
  ...playlistMethods,
  ...playlistItemMethods,
  ...videoMethods,
  ...ratingMethods,
  ...commentThreadMethods,
  ...commentMethods,
  ...commentWritingMethods,
  ...languageMethods,
  ...subscriptionMethods,
  ...captionMethods,
  ...categoryMethods,
  ...searchMethods,
  ...uploadMethods,
  ...abuseMethods,
  ...activityMethods,
  ...channelSectionMethods,
  ...liveBroadcastMethods,
  ...liveChatMessageMethods,
  ...liveChatPeopleMethods,
  ...liveStreamMethods,
  ...memberMethods,
  ...moderationMethods,
  ...pictureMethods,
  ...playlistImageMethods,
  ...runningMethods,
  ...thirdPartyLinkMethods,
  ...videoStatsMethods,
];

export function addDataApi(app: FastifyInstance, surroundings: Surroundings): void {
  addNotEmulated(app, { prefix: '/youtube/v3', methods: NOT_EMULATED });
  const { authorizationServer, baseUrl } = surroundings.context;
  const { pathname: base } = new URL(baseUrl);
  addBatch(app, { path: '/batch/youtube/v3', methods: '/youtube/v3', base, errorBody });
  const api = { service: 'youtube.googleapis.com', authorizationServer, errorBody };
  addMethods(app, METHODS, {
    ...api,
    prefix: '/youtube/v3',
    read: (incoming, one: Method) => readCall(incoming, one, surroundings),
  });
  const uploadsOf = new WeakMap<World, Uploads>();
  // Resetting the sandbox creates a new world, so unfinished uploads of the old world are discarded.
  function currentUploads(): Uploads {
    const world = surroundings.world();
    const uploads = uploadsOf.get(world) ?? new Map();
    uploadsOf.set(world, uploads);
    return uploads;
  }
  for (const prefix of ['/upload/youtube/v3', '/resumable/upload/youtube/v3'])
    addUploads(app, METHODS, {
      ...api,
      prefix,
      origin: new URL(authorizationServer.baseUrl).origin,
      uploads: currentUploads,
      read: (incoming, one, sent) => readCall(incoming, one, { ...surroundings, sent }),
    });
}

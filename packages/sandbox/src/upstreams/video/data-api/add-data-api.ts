import type { FastifyInstance } from 'fastify';
import { errorBody } from '../../../google/api-error.js';
import { addMethods } from '../../../google/method.js';
import { addNotEmulated } from '../../../google/not-emulated.js';
import { type Method, readCall, type Surroundings } from './call.js';
import { captionMethods } from './captions.js';
import { categoryMethods } from './categories.js';
import { channelMethods } from './channels.js';
import { commentThreadMethods } from './comment-threads.js';
import { commentMethods } from './comments.js';
import { languageMethods } from './languages.js';
import { NOT_EMULATED, NOT_UPLOADED } from './not-emulated.js';
import { playlistItemMethods } from './playlist-items.js';
import { playlistMethods } from './playlists.js';
import { ratingMethods } from './ratings.js';
import { searchMethods } from './search.js';
import { subscriptionMethods } from './subscriptions.js';
import { uploadMethods } from './uploads.js';
import { videoMethods } from './videos.js';
import { commentWritingMethods } from './write-comment.js';

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
];

/** What the main host serves. */
export function addDataApi(app: FastifyInstance, surroundings: Surroundings): void {
  addNotEmulated(app, { prefix: '/youtube/v3', methods: NOT_EMULATED });
  for (const prefix of ['/upload/youtube/v3', '/resumable/upload/youtube/v3'])
    addNotEmulated(app, { prefix, methods: NOT_UPLOADED });
  addMethods(app, METHODS, {
    service: 'youtube.googleapis.com',
    prefix: '/youtube/v3',
    authorizationServer: surroundings.context.authorizationServer,
    errorBody,
    read: (incoming, one: Method) => readCall(incoming, one, surroundings),
  });
}

import type { FastifyInstance } from 'fastify';
import { errorBody } from '../../../google/api-error.js';
import { addMethods } from '../../../google/method.js';
import { type Method, readCall, type Surroundings } from './call.js';
import { captionMethods } from './captions.js';
import { categoryMethods } from './categories.js';
import { channelMethods } from './channels.js';
import { commentThreadMethods } from './comment-threads.js';
import { commentMethods } from './comments.js';
import { playlistItemMethods } from './playlist-items.js';
import { playlistMethods } from './playlists.js';
import { ratingMethods } from './ratings.js';
import { searchMethods } from './search.js';
import { subscriptionMethods } from './subscriptions.js';
import { videoMethods } from './videos.js';

const METHODS: readonly Method[] = [
  ...channelMethods,
  ...playlistMethods,
  ...playlistItemMethods,
  ...videoMethods,
  ...ratingMethods,
  ...commentThreadMethods,
  ...commentMethods,
  ...subscriptionMethods,
  ...captionMethods,
  ...categoryMethods,
  ...searchMethods,
];

/** What the main host serves. */
export function addDataApi(app: FastifyInstance, surroundings: Surroundings): void {
  addMethods(app, METHODS, {
    service: 'youtube.googleapis.com',
    prefix: '/youtube/v3',
    authorizationServer: surroundings.context.authorizationServer,
    errorBody,
    read: (incoming, one: Method) => readCall(incoming, one, surroundings),
  });
}

import type { FastifyInstance } from 'fastify';
import { errorBody } from '../../../google/api-error.js';
import { addBatch } from '../../../google/batch.js';
import { addMethods } from '../../../google/method.js';
import { type PlatformMethod, type PlatformSurroundings, readPlatformCall } from '../platform-call.js';
import { groupItemMethods } from './group-items.js';
import { groupMethods } from './groups.js';
import { reportMethods } from './reports.js';

/** What the analytics host serves. */
export function addAnalyticsApi(app: FastifyInstance, surroundings: PlatformSurroundings): void {
  const base = new URL(surroundings.context.baseUrl).pathname + surroundings.path;
  addBatch(app, { path: `${surroundings.path}/batch`, methods: '/v2', base, errorBody });
  addMethods(app, [...groupMethods, ...groupItemMethods, ...reportMethods], {
    service: 'youtubeanalytics.googleapis.com',
    prefix: `${surroundings.path}/v2`,
    authorizationServer: surroundings.context.authorizationServer,
    errorBody,
    read: (incoming, one: PlatformMethod) => readPlatformCall(incoming, one, surroundings),
  });
}

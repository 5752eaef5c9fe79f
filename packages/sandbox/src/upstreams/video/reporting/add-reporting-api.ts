import type { FastifyInstance } from 'fastify';
import { addBatch } from '../../../google/batch.js';
import { addMethods } from '../../../google/method.js';
import { addNotEmulated } from '../../../google/not-emulated.js';
import { statusErrorBody } from '../../../google/status-error.js';
import { type PlatformMethod, type PlatformSurroundings, readPlatformCall } from '../platform-call.js';
import { addReportDownload } from './add-report-download.js';
import { jobMethods } from './jobs.js';
import { reportTypeMethods } from './report-types.js';
import { reportMethods } from './reports.js';

/** What the reporting host serves. */
export function addReportingApi(app: FastifyInstance, surroundings: PlatformSurroundings): void {
  const base = new URL(surroundings.context.baseUrl).pathname + surroundings.path;
  addBatch(app, { path: `${surroundings.path}/batch`, methods: '/v1', base, errorBody: statusErrorBody });
  addMethods(app, [...reportTypeMethods, ...jobMethods, ...reportMethods], {
    service: 'youtubereporting.googleapis.com',
    prefix: `${surroundings.path}/v1`,
    authorizationServer: surroundings.context.authorizationServer,
    errorBody: statusErrorBody,
    read: (incoming, one: PlatformMethod) => readPlatformCall(incoming, one, surroundings),
  });
  addReportDownload(app, surroundings);
  // Lists tell the same of each.
  const methods = ['GET /jobs/:jobId', 'GET /jobs/:jobId/reports/:reportId'];
  addNotEmulated(app, { prefix: `${surroundings.path}/v1`, methods });
}

import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { answerErrors, openMethod, pathPart } from '../../../google/method.js';
import { statusErrorBody } from '../../../google/status-error.js';
import { channelOf } from '../channel-of.js';
import { denied, missing, type PlatformSurroundings } from '../platform-call.js';
import { REPORTING } from '../scopes.js';
import { reportsOf } from './job-reports.js';
import { reportFile } from './report-file.js';

const METHOD = { name: 'google.youtube.reporting.v1.Media.Download', scopes: REPORTING };
const DOOR = { service: 'youtubereporting.googleapis.com', errorBody: statusErrorBody };

/** The files behind the download URLs. These are not signed: the bearer token opens them. */
export function addReportDownload(
  app: FastifyInstance,
  { context, path, world }: PlatformSurroundings,
): void {
  const { authorizationServer } = context;
  app.get(`${path}/v1/media/:kind/:owner/jobs/:jobId/reports/:reportId`, (request, reply) =>
    answerErrors(reply, DOOR, async () => {
      const { access } = await openMethod(request, METHOD, { ...DOOR, authorizationServer });
      const { jobs, videos, channels, now } = world();
      const me = channelOf({ channels }, access.person);
      const job = jobs.get(pathPart(request, 'jobId'));
      const report = job && reportsOf(job, now()).find(({ id }) => id === pathPart(request, 'reportId'));
      if (job === undefined || report === undefined || job.owner !== pathPart(request, 'owner'))
        throw missing();
      if (job.owner !== me.id && job.owner !== me.contentOwner) throw denied();
      const own = [...videos.values()].filter(({ channelId }) => channelId === me.id);
      const file = reportFile(job.reportTypeId, { channelId: me.id, videos: own, day: report.day });
      reply.type('text/csv; charset=utf-8').header('vary', 'Accept-Encoding');
      if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(file);
      return reply.header('content-encoding', 'gzip').send(gzipSync(file));
    }),
  );
}

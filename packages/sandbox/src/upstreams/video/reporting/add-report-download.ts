import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { statusErrorBody } from '../../../google/api-error.js';
import { handleErrors, openMethod, pathPart } from '../../../google/method.js';
import { DAY, formatDate } from '../../../zoned-time.js';
import { type Figures, figuresOf } from '../figures.js';
import { denied, missing, type PlatformSurroundings } from '../platform-call.js';
import { REPORTING } from '../scopes.js';
import { channelOf, type Video } from '../world.js';
import { NUMBERS, numberOf, REPORT_TYPES, type ReportType } from './report-types.js';
import { reportsOf } from './reports.js';

const METHOD = { name: 'google.youtube.reporting.v1.Media.Download', scopes: REPORTING };
const DOOR = { service: 'youtubereporting.googleapis.com', errorBody: statusErrorBody };

/** Adds the download URLs of reports. The URLs are not signed, so a download needs the bearer token. */
export function addReportDownload(
  app: FastifyInstance,
  { context, path, world }: PlatformSurroundings,
): void {
  const { authorizationServer } = context;
  app.get(`${path}/v1/media/:kind/:owner/jobs/:jobId/reports/:reportId`, (request, reply) =>
    handleErrors(reply, DOOR, async () => {
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

function reportFile(
  reportTypeId: string,
  { channelId, videos, day }: { channelId: string; videos: readonly Video[]; day: number },
): string {
  const type = REPORT_TYPES.find(({ id }) => id === reportTypeId);
  const figures = figuresOf(videos, { from: day, to: day + DAY - 1 });
  const date = formatDate(day).replaceAll('-', '');
  const rows = type === undefined ? [] : rowsOf(type, figures).map((row) => [date, channelId, ...row]);
  const header = ['date', 'channel_id', ...Object.keys(type?.keys ?? {}), ...Object.keys(NUMBERS)];
  return `${[header, ...rows].map((row) => row.join(',')).join('\n')}\n`;
}

function rowsOf({ keys }: ReportType, figures: readonly Figures[]): string[][] {
  const groups = new Map<string, Figures[]>();
  for (const one of figures) {
    const key = Object.values(keys)
      .map((read) => read(one))
      .join(',');
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].map(([key, members]) => [
    key,
    ...Object.keys(NUMBERS).map((column) => String(numberOf(column, members))),
  ]);
}

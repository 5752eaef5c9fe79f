import { createHash } from 'node:crypto';
import type { Outcome } from '../../../google/method.js';
import { rules } from '../../../google/parameter-rules.js';
import { DAY } from '../../../zoned-time.js';
import { listed, PAGED, type PlatformCall, platformMethods } from '../platform-call.js';
import { REPORTING } from '../scopes.js';
import { type Fields, type Job, timeOf } from '../world.js';
import { findJob } from './jobs.js';

export const reportMethods = platformMethods(
  'google.youtube.reporting.v1.Reports',
  { path: '/jobs/:jobId/reports', scopes: REPORTING },
  {
    ListReports: {
      parameters: {
        ...rules('moment', 'createdAfter startTimeAtOrAfter startTimeBefore'),
        ...PAGED,
      },
      handle: listReports,
    },
  },
);

function listReports(call: PlatformCall): Outcome {
  const { parameters, world } = call;
  const job = findJob(call);
  const createdAfter = parameters.time('createdAfter') ?? Number.NEGATIVE_INFINITY;
  const from = parameters.time('startTimeAtOrAfter') ?? Number.NEGATIVE_INFINITY;
  const before = parameters.time('startTimeBefore') ?? Number.POSITIVE_INFINITY;
  const reports = reportsOf(job, world.now()).filter(
    ({ createdAt, day }) => createdAt > createdAfter && day >= from && day < before,
  );
  return {
    body: listed(
      call,
      reports.map((report) => present(report, call, { jobId: job.id })),
      'reports',
    ),
  };
}

function present({ id, day, createdAt }: Report, call: PlatformCall, { jobId }: { jobId: string }): Fields {
  const { hostUrl, owner, me } = call;
  const kind = owner === me.id ? 'CHANNEL' : 'CONTENT_OWNER';
  return {
    id,
    jobId,
    startTime: timeOf(day),
    endTime: timeOf(day + DAY),
    createTime: timeOf(createdAt),
    downloadUrl: `${hostUrl}/v1/media/${kind}/${owner}/jobs/${jobId}/reports/${id}?alt=media`,
  };
}

interface Report {
  readonly id: string;
  readonly day: number;
  readonly createdAt: number;
}

const HOUR = DAY / 24;
const HISTORY_DAYS = 30;
/** Days for which a report is stored. Reports of days before the job was created are stored for 30 days. */
const LIFETIME_DAYS = 60;
const HISTORY_LIFETIME_DAYS = 30;
const ID_BYTES = 6;

/** Returns the id of a report: the same number in each response, and another one for each job and day. */
const reportId = (jobId: string, day: number): string =>
  String(createHash('sha256').update(`${jobId} ${day}`).digest().readUIntBE(0, ID_BYTES));

/**
 * Returns the reports of a job at a time of the sandbox's clock, newest first: one for each past day that has not
 * expired. Reads only the days of unexpired reports, because tests may advance the clock by years.
 */
export function reportsOf({ id, createdAt }: Pick<Job, 'id' | 'createdAt'>, now: number): Report[] {
  const start = Math.floor(createdAt / DAY) * DAY;
  const oldest = Math.floor(now / DAY) * DAY - (LIFETIME_DAYS + HISTORY_DAYS) * DAY;
  const reports: Report[] = [];
  for (let day = Math.max(start - HISTORY_DAYS * DAY, oldest); day < now; day += DAY) {
    const isHistory = day < start;
    const made = isHistory ? createdAt + 12 * HOUR : day + DAY + 6 * HOUR;
    const lifetime = (isHistory ? HISTORY_LIFETIME_DAYS : LIFETIME_DAYS) * DAY;
    if (made <= now && now < made + lifetime) reports.push({ id: reportId(id, day), day, createdAt: made });
  }
  return reports.sort((a, b) => b.createdAt - a.createdAt || b.day - a.day);
}

import type { Outcome } from '../../../google/method.js';
import { DAY } from '../../../zoned-time.js';
import { type PlatformCall, platformMethods } from '../platform-call.js';
import { REPORTING } from '../scopes.js';
import { type Fields, timeOf } from '../world.js';
import { type Report, reportsOf } from './job-reports.js';
import { findJob } from './jobs.js';
import { listed, PAGED } from './listed.js';

export const reportMethods = platformMethods(
  'google.youtube.reporting.v1.Reports',
  { path: '/jobs/:jobId/reports', scopes: REPORTING },
  {
    ListReports: {
      parameters: {
        createdAfter: 'moment',
        startTimeAtOrAfter: 'moment',
        startTimeBefore: 'moment',
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
  const found = reportsOf(job, world.now()).filter(
    ({ createdAt, day }) => createdAt > createdAfter && day >= from && day < before,
  );
  return {
    body: listed(
      call,
      found.map((report) => present(report, call, { jobId: job.id })),
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

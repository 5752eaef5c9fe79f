import { ApiError } from './api-error.js';
import { type Call, type Endpoint, type Outcome, ok } from './call.js';
import { ACTIVITY_STATUSES, type Activity } from './organization.js';
import { pageOf } from './page.js';
import type { Parameters, Range } from './parameters.js';
import { presentActivity, statusOf, updatedAt } from './present-activity.js';

const MAX_PAGE = 500;

export const activityEndpoints: readonly Endpoint[] = [
  { verb: 'GET', path: '/getActivities', perMinute: 30, handle: listActivities },
];

function listActivities({ organization, parameters, now }: Call): Outcome {
  const filter = readFilter(parameters);
  const page = parameters.integer('page', { min: 1, max: Number.MAX_SAFE_INTEGER, fallback: 1 });
  const pageSize = parameters.integer('pageSize', { min: 1, max: MAX_PAGE, fallback: MAX_PAGE });
  const activities = [...organization.activities.values()]
    .filter((activity) => fits(activity, filter, now))
    .sort((one, other) => other.startedAt - one.startedAt);
  const { results, metadata } = pageOf(activities, page, pageSize);
  return ok({
    results: results
      .filter(({ isBroken }) => !isBroken)
      .map((activity) => presentActivity(activity, organization, now)),
    metadata,
    failed: results.filter(({ isBroken }) => isBroken).map(({ id }) => id),
  });
}

type Filter = ReturnType<typeof readFilter>;

function readFilter(parameters: Parameters) {
  const started = parameters.range('fromDate', 'toDate', { takesDays: true });
  const updated = parameters.range('updatedFrom', 'updatedTo', { takesDays: true });
  const hasStarted = started.from !== undefined && started.to !== undefined;
  const hasUpdated = updated.from !== undefined;
  if (hasStarted === hasUpdated || (updated.to !== undefined && !hasUpdated))
    throw new ApiError(422, 'Either fromDate and toDate, or updatedFrom, must be provided.');
  return {
    started,
    updated,
    status: parameters.choice('status', ACTIVITY_STATUSES),
    accountId: parameters.text('accountId'),
    opportunityId: parameters.text('opportunityId'),
  };
}

function fits(activity: Activity, filter: Filter, now: number): boolean {
  return (
    statusOf(activity, now) === (filter.status ?? 'completed') &&
    isWithin(activity.startedAt, filter.started) &&
    isWithin(updatedAt(activity, now), filter.updated) &&
    (filter.accountId === undefined || activity.accountId === filter.accountId) &&
    (filter.opportunityId === undefined || activity.opportunityId === filter.opportunityId)
  );
}

export function isWithin(instant: number, { from, to }: Partial<Range>): boolean {
  return (from === undefined || instant >= from) && (to === undefined || instant <= to);
}

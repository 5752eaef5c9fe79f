import { call, type ResponseOf } from './call.ts';
import { noteWaitingApprovals } from './waiting-approvals.ts';

export type Overview = ResponseOf<'GET /operator/v1/overview'>;
export type ApplicationOverview = NonNullable<Overview['application']>;

/** Loads the session, the list of applications, and the overview of the given application if it exists. */
export async function requestOverview(
  applicationId: string | undefined,
  signal: AbortSignal,
): Promise<Overview> {
  const query = applicationId === undefined ? {} : { applicationId };
  const overview = await call('GET /operator/v1/overview', { query }, { signal });
  if (overview.application) noteWaitingApprovals(overview.application.id, overview.application.problems);
  return overview;
}

let preloaded: ApplicationOverview | undefined;

/** Caches an overview that was loaded together with the session. The overview page then needs no request of its own. */
export function preloadOverview(overview: ApplicationOverview | undefined): void {
  preloaded = overview;
  setTimeout(() => {
    preloaded = undefined;
  });
}

export async function loadOverview(applicationId: string, signal: AbortSignal): Promise<ApplicationOverview> {
  const cached = preloaded;
  preloaded = undefined;
  if (cached?.id === applicationId) return cached;
  const { application } = await requestOverview(applicationId, signal);
  if (application?.id !== applicationId)
    throw new Error('This application does not exist. Choose another application on the page Applications.');
  return application;
}

import { call, type ResponseOf } from './call.ts';

export type Overview = ResponseOf<'GET /operator/v1/overview'>;
export type ApplicationOverview = NonNullable<Overview['application']>;

/** Loads the session, the list of applications, and the overview of the given application if it exists. */
export const requestOverview = (applicationId: string | undefined, signal: AbortSignal): Promise<Overview> =>
  call(
    'GET /operator/v1/overview',
    { query: applicationId === undefined ? {} : { applicationId } },
    { signal },
  );

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

import { type Answer, call } from './call.ts';

export type Overview = Answer<'GET /operator/v1/overview'>;
export type ApplicationOverview = NonNullable<Overview['application']>;

/** The session, the applications, and the state of the given application if it exists. */
export const askOverview = (applicationId: string | undefined, signal: AbortSignal): Promise<Overview> =>
  call(
    'GET /operator/v1/overview',
    { query: applicationId === undefined ? {} : { applicationId } },
    { signal },
  );

let ahead: ApplicationOverview | undefined;

/** Passes the overview from the start of the window to the page that is drawn now, which saves a request. */
export function handOver(overview: ApplicationOverview | undefined): void {
  ahead = overview;
  setTimeout(() => {
    ahead = undefined;
  });
}

/** The state of an application. */
export async function loadOverview(applicationId: string, signal: AbortSignal): Promise<ApplicationOverview> {
  const given = ahead;
  ahead = undefined;
  if (given?.id === applicationId) return given;
  const { application } = await askOverview(applicationId, signal);
  if (application?.id !== applicationId) throw new Error('The application is not there any more.');
  return application;
}

import { call, type ResponseOf } from './call.ts';

const LIST = 'GET /operator/v1/applications/{applicationId}/webhook-endpoints';

/** Maximum number of webhook endpoints of one application. */
const MOST_ENDPOINTS = 100;

export type ListedEndpoint = ResponseOf<typeof LIST>['items'][number];

/** Loads all webhook endpoints of an application. */
export async function listEndpoints(
  applicationId: string,
  signal: AbortSignal,
): Promise<readonly ListedEndpoint[]> {
  const request = { path: { applicationId }, query: { pageSize: MOST_ENDPOINTS } };
  return (await call(LIST, request, { signal })).items;
}

/** Returns the URLs of endpoints by their ids. */
export const urlsOf = (endpoints: readonly ListedEndpoint[]): Readonly<Record<string, string>> =>
  Object.fromEntries(endpoints.map(({ id, url }) => [id, url]));

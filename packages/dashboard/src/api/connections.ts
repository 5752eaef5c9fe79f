import { call, type ResponseOf } from './call.ts';
import { loadConnectors } from './catalogue.ts';

const LIST = 'GET /operator/v1/applications/{applicationId}/connections';

export type ListedConnection = ResponseOf<typeof LIST>['items'][number];

/** Loads the connections of an application, at most 200. */
export async function listConnections(
  applicationId: string,
  signal?: AbortSignal,
): Promise<readonly ListedConnection[]> {
  const request = { path: { applicationId }, query: { pageSize: 200 } };
  return (await call(LIST, request, { signal })).items;
}

export async function loadConnectorsAndConnections(applicationId: string, signal: AbortSignal) {
  const [connectors, connections] = await Promise.all([
    loadConnectors(),
    listConnections(applicationId, signal),
  ]);
  return { connectors, connections };
}

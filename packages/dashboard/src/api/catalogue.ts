import { type Answer, call } from './call.ts';

export type Connector = Answer<'GET /operator/v1/connectors/{name}'>;
export type Tool = Answer<'GET /operator/v1/tools'>['items'][number];

let connectors: Promise<readonly Connector[]> | undefined;

/** All connectors. They change only with the service, so they are asked for once. */
export function loadConnectors(): Promise<readonly Connector[]> {
  connectors ??= call('GET /operator/v1/connectors', { query: { pageSize: 200 } }).then(({ items }) => items);
  connectors.catch(() => {
    connectors = undefined;
  });
  return connectors;
}

/** The tools of a connector, by their titles. */
export async function loadTools(connector: string, signal?: AbortSignal): Promise<readonly Tool[]> {
  const { items } = await call(
    'GET /operator/v1/tools',
    { query: { connector, pageSize: 200 } },
    { ...(signal && { signal }) },
  );
  return items;
}

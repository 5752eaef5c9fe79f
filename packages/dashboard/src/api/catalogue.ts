import { type Answer, call } from './call.ts';

export type Connector = Answer<'GET /operator/v1/connectors/{name}'>;
export type Tool = Answer<'GET /operator/v1/tools/{name}'>;

/** Loads a value once. After a failure, the next call loads it again. */
function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => {
    loading ??= load();
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
}

/** All connectors. They change only with the service, so they are loaded once. */
export const loadConnectors = loadOnce(async (): Promise<readonly Connector[]> => {
  return (await call('GET /operator/v1/connectors', { query: { pageSize: 200 } })).items;
});

/** Waits for a response and for the connectors. A connector is `undefined` when it has left the catalogue. */
export async function withConnectors<Value>(loading: Promise<Value>) {
  const [value, all] = await Promise.all([loading, loadConnectors()]);
  return { value, connectorOf: (id: string) => all.find((connector) => connector.id === id) };
}

/** The tools of a connector with their schemas. */
export async function loadTools(connector: string, signal?: AbortSignal): Promise<readonly Tool[]> {
  const { items } = await call(
    'GET /operator/v1/tools',
    { query: { connector, pageSize: 200 } },
    { ...(signal && { signal }) },
  );
  return items;
}

export type ToolSummary = Answer<'GET /operator/v1/tool-summaries'>['items'][number];

async function loadSummaries(pageToken?: string): Promise<readonly ToolSummary[]> {
  const query = { pageSize: 200, ...(pageToken !== undefined && { pageToken }) };
  const { items, nextPageToken } = await call('GET /operator/v1/tool-summaries', { query });
  return nextPageToken === undefined ? items : [...items, ...(await loadSummaries(nextPageToken))];
}

/** All tools without their schemas, loaded once. */
export const loadToolSummaries = loadOnce(() => loadSummaries());

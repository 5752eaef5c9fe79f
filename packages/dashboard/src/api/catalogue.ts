import { type Answer, call } from './call.ts';

export type Connector = Answer<'GET /operator/v1/connectors/{name}'>;
export type Tool = Answer<'GET /operator/v1/tools/{name}'>;

let connectors: Promise<readonly Connector[]> | undefined;

/** All connectors. They change only with the service, so they are asked for once. */
export function loadConnectors(): Promise<readonly Connector[]> {
  connectors ??= call('GET /operator/v1/connectors', { query: { pageSize: 200 } }).then(({ items }) => items);
  connectors.catch(() => {
    connectors = undefined;
  });
  return connectors;
}

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

let summaries: Promise<readonly ToolSummary[]> | undefined;

async function loadSummaries(pageToken?: string): Promise<readonly ToolSummary[]> {
  const query = { pageSize: 200, ...(pageToken !== undefined && { pageToken }) };
  const { items, nextPageToken } = await call('GET /operator/v1/tool-summaries', { query });
  return nextPageToken === undefined ? items : [...items, ...(await loadSummaries(nextPageToken))];
}

/** All tools, without their schemas; asked for once too. */
export function loadToolSummaries(): Promise<readonly ToolSummary[]> {
  summaries ??= loadSummaries();
  summaries.catch(() => {
    summaries = undefined;
  });
  return summaries;
}

import { toOperatorText } from '../words/service-texts.ts';
import { call, type ResponseOf } from './call.ts';

export type Connector = ResponseOf<'GET /operator/v1/connectors/{name}'>;
export type Tool = ResponseOf<'GET /operator/v1/tools/{name}'>;

/** Wraps `load`, so that it runs only once and its result is reused. If it fails, the next call runs it again. */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => {
    loading ??= load();
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
}

const describedInWords = <Described extends { readonly description: string }>(described: Described) => ({
  ...described,
  description: toOperatorText(described.description),
});

const withTitles = (text: string, credentials: Connector['credentials']): string =>
  credentials.reduce((all, { name, title }) => all.replaceAll(`\`${name}\``, `“${title}”`), text);

type ConnectorTexts = Pick<Connector, 'scopes' | 'credentials' | 'setup'>;

/** Rewrites the texts of a connector, which developers read too, for people who use the dashboard. */
export function toOperatorConnector<Texts extends ConnectorTexts>(connector: Texts): Texts {
  const { scopes, credentials, setup } = connector;
  return {
    ...connector,
    scopes: scopes.map(describedInWords),
    credentials: credentials.map(describedInWords),
    ...(setup !== undefined && { setup: withTitles(toOperatorText(setup), credentials) }),
  };
}

/** Loads all connectors once, because they can only change when the service restarts. */
export const loadConnectors = loadOnce(async (): Promise<readonly Connector[]> => {
  const { items } = await call('GET /operator/v1/connectors', { query: { pageSize: 200 } });
  return items.map((connector) => toOperatorConnector(connector));
});

/** Types of the events that webhooks from upstreams cause, of all connectors. */
export const loadUpstreamEventTypes = async (): Promise<readonly string[]> =>
  (await loadConnectors()).flatMap(({ eventTypes }) => eventTypes);

/**
 * Waits for `loading` and for the list of connectors. `connectorOf` returns `undefined` for a connector that no longer
 * exists.
 */
export async function withConnectors<Value>(loading: Promise<Value>) {
  const [value, all] = await Promise.all([loading, loadConnectors()]);
  return { value, connectorOf: (id: string) => all.find((connector) => connector.id === id) };
}

export const loadTools = async (connector: string, signal?: AbortSignal): Promise<readonly Tool[]> =>
  (await call('GET /operator/v1/tools', { query: { connector, pageSize: 200 } }, { signal })).items;

export type ToolSummary = ResponseOf<'GET /operator/v1/tool-summaries'>['items'][number];

async function loadSummaries(pageToken?: string): Promise<readonly ToolSummary[]> {
  const query = { pageSize: 200, ...(pageToken !== undefined && { pageToken }) };
  const { items, nextPageToken } = await call('GET /operator/v1/tool-summaries', { query });
  return nextPageToken === undefined ? items : [...items, ...(await loadSummaries(nextPageToken))];
}

/** Loads all tools without their schemas. They are loaded once and then cached. */
export const loadToolSummaries = loadOnce(() => loadSummaries());

import { BASE_PATH } from './service-url.ts';

const DASHBOARD = `${BASE_PATH}/dashboard`;
const APPLICATION = `${DASHBOARD}/applications/:applicationId`;

export const PATHS = {
  overview: DASHBOARD,
  connections: `${APPLICATION}/connections`,
  connection: `${APPLICATION}/connections/:connectionName`,
  // No connection name can be "-".
  newConnection: `${APPLICATION}/connections/-/new`,
  accounts: `${APPLICATION}/connected-accounts`,
  account: `${APPLICATION}/connected-accounts/:accountId`,
  agents: `${APPLICATION}/agents`,
  approvals: `${APPLICATION}/approvals`,
  approval: `${APPLICATION}/approvals/:approvalId`,
  executions: `${APPLICATION}/executions`,
  execution: `${APPLICATION}/executions/:executionId`,
  tools: `${APPLICATION}/tools`,
  tool: `${APPLICATION}/tools/:toolName`,
  applications: `${DASHBOARD}/applications`,
  application: APPLICATION,
  audit: `${DASHBOARD}/audit`,
  health: `${DASHBOARD}/health`,
  operators: `${DASHBOARD}/operators`,
  profile: `${DASHBOARD}/profile`,
} as const;

/** Fills the parameters into the path of a page. */
export const hrefOf = (path: string, parameters: Readonly<Record<string, string | undefined>> = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));

/** Appends a query without its empty values. */
export function withQuery(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

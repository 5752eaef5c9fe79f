import { BASE_PATH } from './service-url.ts';

const DASHBOARD = `${BASE_PATH}/dashboard`;
const APPLICATION = `${DASHBOARD}/applications/:applicationId`;

export const PATHS = {
  overview: DASHBOARD,
  connections: `${APPLICATION}/connections`,
  connection: `${APPLICATION}/connections/:connectionName`,
  // Connection names cannot be "-", so this path never matches a connection.
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
  webhooks: `${APPLICATION}/webhooks`,
  webhookEndpoint: `${APPLICATION}/webhooks/endpoints/:endpointId`,
  delivery: `${APPLICATION}/webhooks/deliveries/:deliveryId`,
  event: `${APPLICATION}/webhooks/events/:eventId`,
  user: `${APPLICATION}/users/:identifier`,
  search: `${DASHBOARD}/search`,
  applications: `${DASHBOARD}/applications`,
  application: APPLICATION,
  audit: `${DASHBOARD}/audit`,
  health: `${DASHBOARD}/health`,
  operators: `${DASHBOARD}/operators`,
  profile: `${DASHBOARD}/profile`,
} as const;

/** Replaces the parameters in the path of a page, such as `:applicationId`, by their values. */
export const hrefOf = (path: string, parameters: Readonly<Record<string, string | undefined>> = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));

/** Appends query parameters to a path. Parameters with an empty value are omitted. */
export function withQuery(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

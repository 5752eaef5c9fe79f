/** Labels of the form fields of the dashboard, by the name of the field in the API. */
const LABELS: Readonly<Record<string, string>> = {
  allowTokenImport: 'Allow token import',
  allowUnannouncedPkce: 'Allow an authorization server that does not announce PKCE',
  apiKey: 'API key',
  authorizationEndpoint: 'Authorization endpoint',
  baseUrl: 'Base URL',
  bearerToken: 'Token',
  clientId: 'Client ID',
  clientSecret: 'Client secret',
  connectedAs: 'Upstream account',
  connectionName: 'Name',
  newPassword: 'New password',
  'openId.claim': 'Claim',
  'openId.clientId': 'Client ID',
  'openId.clientSecret': 'Client secret',
  'openId.issuer': 'Issuer',
  'openId.scopes': 'Scopes',
  redirectUris: 'Redirect URIs',
  redirectUrls: 'Redirect URLs',
  revocationEndpoint: 'Revocation endpoint',
  signInUrl: 'Sign-in URL',
  tokenEndpoint: 'Token endpoint',
  verifyUrl: 'Verify URL',
  webhookUrl: 'Address for webhooks from the upstream',
};

/** Pages that do the same as operations of the API, by the first part of the path of the operation. */
const PAGES: Readonly<Record<string, string>> = {
  accounts: 'Connected accounts',
  'account-tokens': 'Developer settings',
  'agent-access': 'Agents',
  'agent-clients': 'Agents',
  'agent-grants': 'Agents',
  'agent-tokens': 'Developer settings',
  applications: 'Applications',
  approvals: 'Approvals',
  connections: 'Connections',
  connectors: 'Create connection',
  deliveries: 'Webhooks',
  events: 'Webhooks',
  executions: 'Executions',
  operators: 'Operators',
  tools: 'Tools',
  'webhook-endpoints': 'Webhooks',
};

const FIELD = /[`"]?\b(openId\.[a-zA-Z]+|[a-z]+[A-Z][a-zA-Z]*|redirectUr[il]s)\b[`"]?/g;
const OPERATION = /(?:\bwith )?\b(?:GET|POST|PUT|PATCH|DELETE) \/\S+/g;
const RESOURCE = /\/v1\/([a-z-]+)/;
const FULL_STOP = /[.,;)]$/;

/**
 * Returns the name of the dashboard page that does the same as an API operation. `operation`: text that names the
 * operation, such as `with PATCH /v1/connections/crm.`.
 */
function onPage(operation: string): string {
  const page = PAGES[RESOURCE.exec(operation)?.[1] ?? ''];
  if (page === undefined) return operation;
  const [end = ''] = FULL_STOP.exec(operation) ?? [];
  return `${operation.startsWith('with ') ? 'on the' : 'the'} page “${page}”${end}`;
}

const withCapital = (text: string): string =>
  text.replace(/(^|[.!?] )the page/g, (_, before: string) => `${before}The page`);

/**
 * Rewrites a message of the service, which is written for programs, for people who use the dashboard: fields become
 * labels, and operations become pages.
 */
export function toOperatorText(message: string): string {
  const text = message
    .replace(/\bsend \{"(\w+)":true\}/gi, 'select $1')
    .replace(
      /\bRead it again, then repeat your change with the new ETag\b/,
      'Load this page again, then repeat your change',
    )
    .replace(OPERATION, onPage)
    .replace(/ with PATCH\b/g, ' on its page')
    .replace(/ \(--[a-z-]+\)/g, '')
    .replace(FIELD, (whole, name: string) => (LABELS[name] === undefined ? whole : `“${LABELS[name]}”`))
    .replace(/\b(S|s)end (?=“)/g, (_, first: string) => (first === 'S' ? 'Enter ' : 'enter '));
  return withCapital(text);
}

/** Labels of the form fields of the dashboard, by the name of the field in the API. */
export const LABELS: Readonly<Record<string, string>> = {
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
  verifyUrl: 'User verification URL',
  webhookUrl: 'Address for webhooks from the upstream',
};

/** Pages that do the same as operations of the API, by the first part of the path of the operation. */
export const PAGES: Readonly<Record<string, string>> = {
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

const withLabel = (whole: string, name: string): string =>
  LABELS[name] === undefined ? whole : `“${LABELS[name]}”`;

interface Rule {
  /** Words of an API message. A test fails if no text of the service contains them any more. */
  readonly words: RegExp;
  readonly rewrite: (whole: string, ...groups: readonly string[]) => string;
}

/**
 * Rules that rewrite an error message of the API for people who use the dashboard. Each rule applies to the result of
 * the rules before it.
 */
export const RULES: readonly Rule[] = [
  { words: /\bsend \{"(\w+)":true\}/gi, rewrite: (_, name = '') => `select ${name}` },
  {
    words: /\bRead it again, then repeat your change with the new ETag\b/g,
    rewrite: () => 'Load this page again, then repeat your change',
  },
  { words: /(?:\bwith )?\b(?:GET|POST|PUT|PATCH|DELETE) \/\S+/g, rewrite: onPage },
  { words: / with PATCH\b/g, rewrite: () => ' on its page' },
  { words: / \(--[a-z-]+\)/g, rewrite: () => '' },
  {
    words: /[`"]?\b(openId\.[a-zA-Z]+|[a-z]+[A-Z][a-zA-Z]*|redirectUr[il]s)\b[`"]?/g,
    rewrite: (whole, name = '') => withLabel(whole, name),
  },
  { words: /\bSend (?=“)/g, rewrite: () => 'Enter ' },
  { words: /\bsend (?=“)/g, rewrite: () => 'enter ' },
  { words: /(^|[.!?] )the page/g, rewrite: (_, before = '') => `${before}The page` },
];

/**
 * Rewrites a message of the service, which is written for programs, for people who use the dashboard: fields become
 * labels, and operations become pages.
 */
export const toOperatorText = (message: string): string =>
  RULES.reduce((text, { words, rewrite }) => text.replace(words, rewrite), message);

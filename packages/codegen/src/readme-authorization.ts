import type { Connector, KeyAuth, Scope } from '@svc/catalog';
import { table } from './markdown.js';

interface Key {
  readonly name: string;
  /** Field of an account that contains the key. */
  readonly field: string;
  readonly sample: string;
  readonly advice: string;
}

/** Keys that an account needs instead of a consent, by authorization type. */
const KEYS: Readonly<Record<KeyAuth['type'], Key>> = {
  api_key: {
    name: 'an API key',
    field: 'apiKey',
    sample: 'the key of user_42',
    advice:
      'Pass the API key once: the service encrypts and stores the API key, and never returns it. Pass a new API key to replace the stored one.',
  },
  bearer_token: {
    name: 'a bearer token',
    field: 'bearerToken',
    sample: 'the token of user_42',
    advice:
      'Pass the bearer token once: the service encrypts and stores the bearer token, and never returns it. Pass a new bearer token to replace the stored one.',
  },
};

/** Returns facts about the key of an account. Undefined for accounts that get access by a consent. */
export function keyOf({ type }: Connector['auth']): Key | undefined {
  return type === 'oauth2' || type === 'mcp_oauth' ? undefined : KEYS[type];
}

/**
 * Returns the README section about the authorization of accounts: its method, and its scopes or additional credentials.
 */
export function authorizationSection(connector: Connector): readonly string[] {
  const { auth } = connector;
  const heading = '## Authorization';
  if (auth.type === 'oauth2')
    return [
      heading,
      `Users give consent by OAuth 2.0. ${oauthClient(connector)}`,
      ...scopeTable(auth.scopes),
    ];
  if (auth.type === 'mcp_oauth')
    return [
      heading,
      'The upstream is an MCP server. Users give consent by OAuth 2.1. The service finds the authorization server, and registers an OAuth client if the authorization server allows registration.',
      ...scopeTable(auth.scopes),
    ];
  const { name, field } = KEYS[auth.type];
  return [
    heading,
    `Each account has ${name} of the upstream. Your application passes it as \`${field}\`, or the user enters it on the connect page that \`client.getAuthorizationLink\` links to.`,
    ...credentialTable(auth.credentials),
  ];
}

const oauthClient = ({ id, service, setup }: Connector): string =>
  `Each connection needs an OAuth client of yours at ${service}.${
    setup === undefined
      ? ''
      : ` \`GET /v1/connectors/${id}\` returns the steps to register an OAuth client as \`setup\`, and the dashboard shows them on the page of the connection.`
  } The connections of the sandbox need no OAuth client of yours.`;

function scopeTable(scopes: readonly Scope[]): readonly string[] {
  if (scopes.length === 0) return [];
  const rows = scopes.map((scope) => [`\`${scope.name}\``, scope.description, scope.default ? 'yes' : '']);
  return [
    'A connection requests the default scopes, unless its `scopes` lists other ones:',
    table(['Scope', 'What it allows', 'Default'], rows),
  ];
}

function credentialTable(
  credentials: readonly { readonly name: string; readonly description: string }[],
): readonly string[] {
  if (credentials.length === 0) return [];
  return [
    'An account may have additional credentials, which your application passes in `credentials`:',
    table(
      ['Credential', 'Purpose'],
      credentials.map(({ name, description }) => [`\`${name}\``, description]),
    ),
  ];
}

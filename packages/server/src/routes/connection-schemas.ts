import { closed, named } from '../listener/list-schema.js';
import { CONNECTION_STATUS_REASONS } from '../names/status-reasons.js';
import { TEXT_FORMS } from '../text/text-forms.js';
import { etagSchema } from './etag-schema.js';
import { connectionHealthSchema, connectionTestSchema } from './health-schemas.js';

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time', examples: ['2026-11-20T09:00:00.000Z'] };
const textOrNull = { type: ['string', 'null'] };
/** Schema for the name of a new connection. */
export const newName = { type: 'string', pattern: TEXT_FORMS.name.pattern };
export const scopes = { type: 'array', items: { ...text, examples: ['contacts.read'] } };
export const visible = { type: 'string', minLength: 1, maxLength: 8192, pattern: TEXT_FORMS.visible.pattern };
export const url = { type: 'string', minLength: 1, maxLength: 2048 };
/** Schema for the OAuth scopes in the settings of a connection. */
export const scopesSetting = {
  type: 'array',
  items: { ...visible, maxLength: 512 },
  maxItems: 100,
  uniqueItems: true,
};

const policy = {
  ...named(
    'ApprovalPolicy',
    closed({
      default: {
        type: 'string',
        enum: ['always', 'destructive', 'never'],
        description: 'Approval rule for tools that are not listed in `tools`.',
      },
      tools: {
        type: 'object',
        description: 'Approval rules by tool name; each rule overrides `default`.',
        additionalProperties: { type: 'string', enum: ['always', 'never'] },
        maxProperties: 200,
      },
    }),
    { default: 'destructive', tools: { crm_list_contacts: 'never' } },
  ),
  description:
    'Which calls need approval by a person before they run. If any call needs approval, the proxy accepts only requests that read. If all calls need approval, the proxy refuses every request.',
};

const settings = {
  clientId: { ...visible, maxLength: 512 },
  clientSecret: {
    ...visible,
    description: 'Client secret from the upstream. The service stores it encrypted and never shows it again.',
  },
  scopes: {
    ...scopesSetting,
    type: ['array', 'null'],
    description: "OAuth scopes to request. Null requests the connector's default scopes.",
  },
  baseUrl: { ...url, description: 'Base URL of the upstream; paths are appended to it.' },
  region: {
    ...text,
    maxLength: 64,
    description: "One of the connector's regions; send either this or `baseUrl`.",
  },
  hosts: {
    type: 'object',
    description: "Base URLs of the connector's other hosts, by name; omitted hosts stay unchanged.",
    additionalProperties: url,
    maxProperties: 16,
  },
  authorizationEndpoint: url,
  tokenEndpoint: url,
  revocationEndpoint: url,
  allowUnannouncedPkce: {
    type: 'boolean',
    description:
      'True to use the authorization server of an MCP server although its metadata does not announce PKCE. The service still uses PKCE.',
  },
  approve: policy,
  storeUpstreamErrors: {
    type: 'boolean',
    description:
      'True to store error codes and messages of the upstream in executions, without secrets and user data. Default: true.',
  },
};

const client = { clientId: 'svc-client', clientSecret: 'svc-client-secret' };

export const newConnectionSchema = named(
  'NewConnection',
  closed({ connectionName: newName, connector: text, ...settings }, ['connectionName', 'connector']),
  client,
);
export const connectionChangeSchema = named(
  'ConnectionSettings',
  { ...closed(settings, []), minProperties: 1 },
  client,
);

export const connectionSchema = named(
  'Connection',
  closed(
    {
      id: text,
      connectionName: text,
      connector: text,
      authType: {
        type: ['string', 'null'],
        enum: ['oauth2', 'api_key', 'bearer_token', 'mcp_oauth', null],
        description: 'How the connector authenticates. Null if the connector is no longer in the catalogue.',
      },
      redirectUri: {
        ...textOrNull,
        description:
          'Redirect URI of the OAuth client. Register this URI with the upstream, character by character.',
      },
      webhookUrl: {
        ...textOrNull,
        description:
          "Address of this service for the upstream's webhooks. Null for a connector without webhooks. Pass this address to the tool that creates a webhook at the upstream.",
      },
      clientId: textOrNull,
      hasClientSecret: { type: 'boolean' },
      scopes,
      baseUrl: {
        ...textOrNull,
        description:
          'Base URL of the upstream. Null if the connector or region is no longer in the catalogue.',
      },
      region: textOrNull,
      hosts: { type: 'object', additionalProperties: text },
      authorizationEndpoint: textOrNull,
      tokenEndpoint: textOrNull,
      revocationEndpoint: textOrNull,
      allowUnannouncedPkce: { type: 'boolean' },
      approve: policy,
      storeUpstreamErrors: { type: 'boolean' },
      statusReason: {
        ...text,
        enum: CONNECTION_STATUS_REASONS,
        description: 'Reason why no account of this connection works.',
      },
      health: connectionHealthSchema,
      lastTest: {
        ...connectionTestSchema,
        description:
          'Last test of the connection; absent if nobody tested the current settings of the connection.',
      },
      createdAt: time,
      updatedAt: time,
      etag: etagSchema,
    },
    [
      'id',
      'connectionName',
      'connector',
      'authType',
      'redirectUri',
      'webhookUrl',
      'clientId',
      'hasClientSecret',
      'scopes',
      'baseUrl',
      'region',
      'hosts',
      'authorizationEndpoint',
      'tokenEndpoint',
      'revocationEndpoint',
      'allowUnannouncedPkce',
      'approve',
      'storeUpstreamErrors',
      'health',
      'createdAt',
      'updatedAt',
      'etag',
    ],
  ),
  {
    id: 'conn_0193f2a8c4d17b3e9a5c6d7e8f901234',
    redirectUri: 'http://localhost:4400/sso/v1/oauth/conn_0193f2a8c4d17b3e9a5c6d7e8f901234/callback',
    webhookUrl: null,
    clientId: 'svc-client',
    hasClientSecret: true,
  },
);

export const connectionName = { ...text, description: 'Name of the connection.' };
export const connectionParams = closed({ connectionName });

import {
  ACCOUNT_STATUS_REASONS,
  CONNECTION_STATUS_REASONS,
  REVOCATION_OUTCOMES,
} from '../names/status-reasons.js';
import { TEXT_FORMS } from '../text/text-forms.js';
import { closed } from './list-schema.js';

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };
const textOrNull = { type: ['string', 'null'] };
const texts = { type: 'array', items: text };
const name = { type: 'string', pattern: TEXT_FORMS.name.pattern };
const visible = { type: 'string', minLength: 1, maxLength: 8192, pattern: TEXT_FORMS.visible.pattern };
const url = { type: 'string', minLength: 1, maxLength: 2048 };

const policy = {
  ...closed({
    default: {
      type: 'string',
      enum: ['always', 'destructive', 'never'],
      description: 'Which tools it is that nothing else is said of.',
    },
    tools: {
      type: 'object',
      description: 'By the name of a tool, in the place of the default.',
      additionalProperties: { type: 'string', enum: ['always', 'never'] },
      maxProperties: 200,
    },
  }),
  description:
    'Which calls a person is asked about before they run. Where it says so of any, the proxy only reads; where of all, it takes nothing.',
};

const settings = {
  clientId: { ...visible, maxLength: 512 },
  clientSecret: { ...visible, description: 'Stored encrypted and never shown again.' },
  scopes: { type: 'array', items: { ...visible, maxLength: 512 }, maxItems: 100, uniqueItems: true },
  baseUrl: { ...url, description: 'Where the upstream is reached; paths are added to it.' },
  region: { ...text, maxLength: 64, description: "One of the connector's regions, in the place of baseUrl." },
  hosts: {
    type: 'object',
    description:
      "Where the connector's further hosts are reached, by their names; those left out stay as they are.",
    additionalProperties: url,
    maxProperties: 16,
  },
  authorizationEndpoint: url,
  tokenEndpoint: url,
  revocationEndpoint: url,
  approve: policy,
};

export const newConnectionSchema = closed({ connectionName: name, connector: text, ...settings }, [
  'connectionName',
  'connector',
]);
export const connectionChangeSchema = { ...closed(settings, []), minProperties: 1 };

export const connectionSchema = closed(
  {
    id: text,
    connectionName: text,
    connector: text,
    authType: {
      type: ['string', 'null'],
      enum: ['oauth2', 'api_key', 'bearer_token', 'mcp_oauth', null],
      description: 'Null when the connector is not in the catalogue any more.',
    },
    redirectUri: { ...textOrNull, description: 'Register it with the upstream exactly as it is.' },
    clientId: textOrNull,
    hasClientSecret: { type: 'boolean' },
    scopes: texts,
    baseUrl: {
      ...textOrNull,
      description: 'Null when connector or region are not in the catalogue any more.',
    },
    region: textOrNull,
    hosts: { type: 'object', additionalProperties: text },
    authorizationEndpoint: textOrNull,
    tokenEndpoint: textOrNull,
    revocationEndpoint: textOrNull,
    approve: policy,
    statusReason: {
      ...text,
      enum: CONNECTION_STATUS_REASONS,
      description: 'Why the connection as a whole does not work.',
    },
    createdAt: time,
    updatedAt: time,
  },
  [
    'id',
    'connectionName',
    'connector',
    'authType',
    'redirectUri',
    'clientId',
    'hasClientSecret',
    'scopes',
    'baseUrl',
    'region',
    'hosts',
    'authorizationEndpoint',
    'tokenEndpoint',
    'revocationEndpoint',
    'approve',
    'createdAt',
    'updatedAt',
  ],
);

const status = {
  type: 'string',
  enum: ['unauthorized', 'pending_verification', 'authorized', 'reauthorization_required'],
};

export const accountFilters = {
  connectionName: { ...text, maxLength: 64 },
  status,
  identifier: { ...text, maxLength: 256, description: 'What the identifiers begin with.' },
};

export const accountSchema = closed(
  {
    id: text,
    connectionName: text,
    connector: text,
    identifier: text,
    status,
    statusReason: { ...text, enum: ACCOUNT_STATUS_REASONS, description: 'Why the access ended.' },
    scopes: { ...texts, description: 'The scopes that the user granted.' },
    credentials: { ...texts, description: 'The names of the further credentials that it holds.' },
    createdAt: time,
    updatedAt: time,
    usedAt: { ...time, description: 'When a call as it ended last, to within five minutes.' },
    refreshedAt: { ...time, description: 'When its tokens came.' },
    expiresAt: { ...time, description: 'When its access token ends; it is refreshed before.' },
  },
  [
    'id',
    'connectionName',
    'connector',
    'identifier',
    'status',
    'scopes',
    'credentials',
    'createdAt',
    'updatedAt',
  ],
);

const key = { ...visible, pattern: TEXT_FORMS.printable.pattern };

export const secretsSchema = closed(
  {
    apiKey: { ...key, description: 'For a connector with API keys.' },
    bearerToken: { ...visible, description: 'For a connector with bearer tokens.' },
    credentials: {
      type: 'object',
      description:
        'Further secrets by the names that the connector has for them; those left out stay as they are.',
      additionalProperties: key,
      maxProperties: 16,
    },
  },
  [],
);

export const linkOptionsSchema = closed(
  {
    replace: {
      type: 'boolean',
      default: false,
      description: 'Lets another user of the upstream take the place of the one that is connected now.',
    },
    successUrl: {
      ...url,
      description:
        "Where the browser goes in the end: one of the application's redirect URLs. With a verify URL it is in the answer of the verification.",
    },
    failureUrl: {
      ...url,
      description:
        "Where the browser goes when nothing was connected, with svc_error in the query: one of the application's redirect URLs.",
    },
  },
  [],
);

export const verificationSchema = closed({
  authRequestId: {
    ...visible,
    maxLength: 128,
    description: 'From the query of the verify URL: auth_request_id.',
  },
  identifier: { ...text, maxLength: 256, description: "The user of the application's own session." },
});
export const verifiedSchema = {
  ...accountSchema,
  properties: {
    ...accountSchema.properties,
    successUrl: { ...text, description: 'Where the link wanted the browser to go.' },
  },
};
export const revokedSchema = {
  ...accountSchema,
  required: [...accountSchema.required, 'upstream'],
  properties: {
    ...accountSchema.properties,
    upstream: {
      ...text,
      enum: REVOCATION_OUTCOMES,
      description:
        'What became of the access upstream. no_revocation_endpoint: the upstream has no way to end it; failed: it did not confirm, so end it there by hand.',
    },
  },
};
export const linkSchema = closed({ link: text, expiresAt: time });

export const connectionParams = closed({ connectionName: text });
export const accountParams = closed({ connectionName: text, identifier: text });
export const accountIdParams = closed({ id: text });
export const nothing = { type: 'null', description: 'No content' };

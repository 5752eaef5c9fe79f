import { closed, named } from '../listener/list-schema.js';
import { ACCOUNT_STATUS_REASONS, REVOCATION_OUTCOMES } from '../names/status-reasons.js';
import { TEXT_FORMS } from '../text/text-forms.js';
import { connectionName, scopes, scopesSetting, url, visible } from './connection-schemas.js';
import { etagSchema } from './etag-schema.js';
import { refreshFailureSchema } from './health-schemas.js';

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time', examples: ['2026-11-20T09:00:00.000Z'] };

const status = {
  type: 'string',
  enum: ['unauthorized', 'pending_verification', 'authorized', 'reauthorization_required'],
  examples: ['authorized'],
};

const metadata = {
  type: 'object',
  propertyNames: { pattern: TEXT_FORMS.metadataKey.pattern },
  additionalProperties: { ...text, maxLength: 256 },
  maxProperties: 20,
  examples: [{ plan: 'team' }],
};
const tag = { ...text, minLength: 1, maxLength: 64, examples: ['trial'] };
const tags = { type: 'array', items: tag, maxItems: 20, uniqueItems: true };

const label = {
  ...text,
  maxLength: 64,
  examples: ['work'],
  description:
    'Label of the account, if the user has several accounts on the connection. Default: the account without a label.',
};

export const labelQuery = closed({ account: label }, []);

export const detailFilters = {
  account: { ...label, minLength: 1, description: 'Label that the listed accounts have.' },
  tag: { ...tag, description: 'A tag that the listed accounts have.' },
  metadata: {
    ...text,
    maxLength: 512,
    pattern: TEXT_FORMS.metadataEntry.pattern,
    examples: ['plan:team'],
    description: 'A metadata entry that the listed accounts have, as key:value.',
  },
};

const ACCOUNT = { id: 'acct_0193f2a8c4d17b3e9a5c6d7e8f901234' };

export const accountFilters = {
  ...detailFilters,
  connectionName: { ...text, maxLength: 64, description: 'Name of the connection of the listed accounts.' },
  status: { ...status, description: 'Status of the listed accounts.' },
  identifier: { ...text, maxLength: 256, description: 'Prefix of the identifiers of the listed accounts.' },
  exact: { type: 'boolean', description: 'Lists only accounts with exactly this identifier.' },
  order: {
    ...text,
    enum: ['ascending', 'descending'],
    description: 'Order of the identifiers. Default: ascending.',
  },
};

export const accountSchema = named(
  'Account',
  closed(
    {
      id: text,
      connectionName: text,
      connector: text,
      identifier: text,
      account: {
        ...text,
        examples: ['work'],
        description: 'Label of the account, if the user has several accounts on the connection.',
      },
      status,
      statusReason: { ...text, enum: ACCOUNT_STATUS_REASONS, description: 'Why the access ended.' },
      connectedAs: {
        ...closed(
          {
            name: { ...text, description: 'Name or address of the user.' },
            workspace: { ...text, description: 'Workspace, organization or tenant.' },
            pictureUrl: { ...text, description: 'An https URL of a picture.' },
          },
          [],
        ),
        description: 'Names of the user at the upstream, if it reports them.',
      },
      scopes: { ...scopes, description: 'The scopes that the user granted.' },
      credentials: {
        type: 'array',
        items: text,
        examples: [[]],
        description: 'Names of the secondary credentials that the account has.',
      },
      metadata: { ...metadata, description: "The application's own data about the account." },
      tags: { ...tags, description: "The application's tags of the account." },
      createdAt: time,
      updatedAt: time,
      usedAt: {
        ...time,
        description: 'When the last call as this account ended, with a precision of five minutes.',
      },
      refreshedAt: { ...time, description: 'When the service received its current tokens.' },
      refreshFailure: {
        ...refreshFailureSchema,
        description:
          'Token refreshes that fail since the last success. Calls work until the access token expires.',
      },
      expiresAt: {
        ...time,
        description: 'When the access token expires. The service refreshes it before that.',
      },
      etag: etagSchema,
    },
    [
      'id',
      'etag',
      'connectionName',
      'connector',
      'identifier',
      'status',
      'scopes',
      'credentials',
      'metadata',
      'tags',
      'createdAt',
      'updatedAt',
    ],
  ),
  ACCOUNT,
);

const key = { ...visible, pattern: TEXT_FORMS.printable.pattern };

const importedTokens = {
  accessToken: {
    ...visible,
    description:
      'OAuth access token that the user granted to the OAuth client of the connection before. An operator must allow the import.',
  },
  refreshToken: { ...visible, description: 'OAuth refresh token of the same user and client.' },
  expiresAt: {
    ...text,
    maxLength: 64,
    description: 'When accessToken expires, such as 2026-11-20T09:00:00Z. Default: unknown.',
  },
  scopes: {
    ...scopesSetting,
    description: 'Scopes that the user granted. Default: those of the token response, or none.',
  },
};

export const accountRequestSchema = named(
  'AccountRequest',
  closed(
    {
      apiKey: { ...key, description: 'For a connector with API keys.' },
      bearerToken: { ...visible, description: 'For a connector with bearer tokens.' },
      credentials: {
        type: 'object',
        description:
          'Secondary credentials by the names that the connector defines; omitted ones stay unchanged.',
        additionalProperties: key,
        maxProperties: 16,
      },
      ...importedTokens,
      verify: {
        type: 'boolean',
        default: true,
        description:
          'Tries the secrets at the upstream before they are stored, and refuses wrong ones with the reason key_refused. If the upstream does not respond, they are stored without this test.',
      },
      metadata: {
        ...metadata,
        description:
          'Your own data about the account: texts by key, at most 2,048 bytes as JSON. Replaces the earlier metadata. Do not store secrets in it.',
      },
      tags: { ...tags, description: 'Your own tags of the account. Replaces the earlier tags.' },
    },
    [],
  ),
  { apiKey: 'key-of-the-user' },
);

export const linkOptionsSchema = named(
  'AuthorizationLinkOptions',
  closed(
    {
      replace: {
        type: 'boolean',
        default: false,
        description: 'Allows another user of the upstream to replace the connected one.',
      },
      successUrl: {
        ...url,
        description:
          "URL for the browser after success: one of the application's redirect URLs. With a verify URL, the response of the verification contains it.",
      },
      failureUrl: {
        ...url,
        description:
          "URL for the browser if nothing was connected: one of the application's redirect URLs. Its query gets svc_error: cancelled, refused_by_administrator, administrator_consent_required, invalid_scope, unauthorized_client, temporarily_unavailable, failed, or the code of another error.",
      },
      state: {
        ...visible,
        maxLength: 512,
        description:
          'Text of your application. The verify, success and failure URLs get it as the query parameter state, and the verification returns it.',
      },
      requestedScopes: {
        type: 'array',
        items: { ...visible, maxLength: 512 },
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description:
          "OAuth scopes to request from the user: some of the connection's scopes. Default: all of them.",
      },
      uiLocales: {
        ...text,
        maxLength: 64,
        pattern: TEXT_FORMS.languages.pattern,
        examples: ['de'],
        description:
          'Languages for the pages in the order of preference, separated by spaces. Supported: en and de. Default: the languages of the browser.',
      },
      openerOrigin: {
        ...text,
        maxLength: 256,
        examples: ['https://app.example.com'],
        description:
          "For a link in a pop-up: one of the application's origins. The final page sends it a message with the outcome.",
      },
    },
    [],
  ),
  { successUrl: 'https://app.example.com/connected' },
);

export const verificationSchema = named(
  'Verification',
  closed({
    authRequestId: {
      ...visible,
      maxLength: 128,
      description: 'Value of auth_request_id in the query of the verify URL.',
      examples: ['areq_9qXc2b7Lk0'],
    },
    identifier: {
      ...text,
      maxLength: 256,
      description: 'User who is signed in to the application in this browser.',
    },
  }),
);
export const verifiedSchema = named(
  'VerifiedAccount',
  {
    ...accountSchema,
    properties: {
      ...accountSchema.properties,
      successUrl: { ...text, description: 'The successUrl of the link. Redirect the browser to it.' },
      state: { ...text, description: 'The state of the link.' },
    },
  },
  ACCOUNT,
);
export const revokedSchema = named(
  'RevokedAccount',
  {
    ...accountSchema,
    required: [...accountSchema.required, 'upstream'],
    properties: {
      ...accountSchema.properties,
      upstream: {
        ...text,
        enum: REVOCATION_OUTCOMES,
        description:
          'Result of the revocation upstream. no_revocation_endpoint: the upstream offers no revocation. failed: the upstream did not confirm it, so revoke the access there by hand.',
      },
    },
  },
  { ...ACCOUNT, status: 'unauthorized' },
);
export const linkSchema = named(
  'AuthorizationLink',
  closed({
    link: {
      ...text,
      description: 'Open it in the browser of the user.',
      examples: ['http://localhost:4400/connect/K3v9'],
    },
    expiresAt: time,
  }),
);

const identifier = { ...text, description: 'Identifier of the user in the application, percent-encoded.' };
const accountId = { ...text, description: 'Id of the account.', examples: [ACCOUNT.id] };
export const accountParams = closed({ connectionName, identifier });
export const accountIdParams = closed({ id: accountId });
export const nothing = { type: 'null', description: 'No content' };

import { belongingTo, closed, named } from '../listener/list-schema.js';
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
  account: { ...label, minLength: 1, description: 'Lists only accounts with this label.' },
  tag: { ...tag, description: 'Lists only accounts with this tag.' },
  metadata: {
    ...text,
    maxLength: 512,
    pattern: TEXT_FORMS.metadataEntry.pattern,
    examples: ['plan:team'],
    description: 'Lists only accounts with this metadata entry, written as key:value.',
  },
};

const ACCOUNT = { id: 'acct_0193f2a8c4d17b3e9a5c6d7e8f901234' };

export const accountFilters = {
  ...detailFilters,
  connectionName: belongingTo('accounts').connectionName,
  status: { ...status, description: 'Lists only accounts with this status.' },
  notTested: {
    type: 'boolean',
    description: 'True to list only accounts that have `notTested`, false to list only accounts that do not.',
  },
  refreshFailing: {
    type: 'boolean',
    description:
      'True to list only authorized accounts whose token refresh fails, false to list only other accounts.',
  },
  identifier: {
    ...text,
    maxLength: 256,
    description: 'Lists only accounts whose identifier begins with this text.',
  },
  exact: {
    type: 'boolean',
    description: 'True to list only accounts whose identifier is exactly `identifier`.',
  },
  order: {
    ...text,
    enum: ['ascending', 'descending'],
    description: 'Order of the accounts by their identifiers. Default: ascending.',
  },
};

/** User at the upstream, in schemas of objects that belong to an account. */
export const connectedAs = {
  ...closed(
    {
      name: { ...text, description: 'Name or email address of the user at the upstream.' },
      workspace: {
        ...text,
        description: 'Workspace, organization or tenant of the user at the upstream.',
      },
      pictureUrl: { ...text, description: 'An https URL of a picture of the user.' },
    },
    [],
  ),
  description: 'The user at the upstream, if the upstream reports who it is.',
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
      statusReason: {
        ...text,
        enum: ACCOUNT_STATUS_REASONS,
        description: 'Reason why the access of the account ended.',
      },
      connectedAs,
      scopes: { ...scopes, description: 'The scopes that the user granted.' },
      credentials: {
        type: 'array',
        items: text,
        examples: [[]],
        description: 'Names of the additional credentials that the account has beside its key or token.',
      },
      metadata: { ...metadata, description: "The application's own data about the account." },
      tags: { ...tags, description: "The application's tags of the account." },
      createdAt: time,
      updatedAt: time,
      usedAt: {
        ...time,
        description: 'When the last call as this account ended, with a precision of five minutes.',
      },
      refreshedAt: { ...time, description: 'When the service received the current tokens of the account.' },
      refreshFailure: {
        ...refreshFailureSchema,
        description:
          'Present if the token refreshes of the account have failed since the last successful one. Calls work until the access token expires.',
      },
      notTested: {
        type: 'boolean',
        enum: [true],
        examples: [true],
        description:
          'Present if the account is authorized, but neither a test nor a call has shown that its key or token is right.',
      },
      expiresAt: {
        ...time,
        description: 'When the access token expires. The service refreshes the token before it expires.',
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
      'OAuth access token that the OAuth client of the connection already received for this user. An operator must allow the import of tokens.',
  },
  refreshToken: {
    ...visible,
    description: 'OAuth refresh token of the same user and OAuth client as `accessToken`.',
  },
  expiresAt: {
    ...text,
    maxLength: 64,
    description: 'When `accessToken` expires, such as 2026-11-20T09:00:00Z. Default: unknown.',
  },
  scopes: {
    ...scopesSetting,
    description:
      'Scopes that the user granted. Default: none. If the service tests `refreshToken` and the token response has scopes, those are stored instead.',
  },
};

export const accountRequestSchema = named(
  'AccountRequest',
  closed(
    {
      apiKey: { ...key, description: 'API key of the user, for a connector with API keys.' },
      bearerToken: {
        ...visible,
        description: 'Bearer token of the user, for a connector with bearer tokens.',
      },
      credentials: {
        type: 'object',
        description:
          'Additional credentials beside the key or token, by the names in `credentials` of the connector. Omitted credentials stay unchanged.',
        additionalProperties: key,
        maxProperties: 16,
      },
      ...importedTokens,
      verify: {
        type: 'boolean',
        default: true,
        description:
          'True to test the secrets at the upstream before the service stores them. Secrets that the upstream refuses get an error with the reason `key_refused`. If the upstream does not respond, the service stores the secrets without a test.',
      },
      metadata: {
        ...metadata,
        description:
          'Your own data about the account: texts by key, at most 2,048 bytes as JSON. Replaces the earlier metadata. Do not store secrets in the metadata.',
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
        description:
          'True to let the user sign in at the upstream as a different upstream user, who replaces the connected one.',
      },
      successUrl: {
        ...url,
        description:
          "URL for the browser after success: one of the application's redirect URLs. With a verify URL, the response of the verification contains this URL.",
      },
      failureUrl: {
        ...url,
        description:
          "URL for the browser if nothing was connected: one of the application's redirect URLs. The service adds the query parameter `svc_error` to this URL, with one of these values: cancelled, refused_by_administrator, administrator_consent_required, invalid_scope, unauthorized_client, temporarily_unavailable, failed, or the code of another error.",
      },
      state: {
        ...visible,
        maxLength: 512,
        description:
          'Text that your application gets back: in the query parameter `state` of the verify, success and failure URLs, and in the response of the verification.',
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
          'Languages for the connect pages in the order of preference, separated by spaces. Supported: en and de. Default: the languages of the browser.',
      },
      openerOrigin: {
        ...text,
        maxLength: 256,
        examples: ['https://app.example.com'],
        description:
          "For a link in a pop-up: one of the application's origins. The final page sends a message with the outcome to this origin.",
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
      description: 'Value of the query parameter `auth_request_id` of the verify URL.',
      examples: ['areq_9qXc2b7Lk0'],
    },
    identifier: {
      ...text,
      maxLength: 256,
      description: 'Identifier of the user who is signed in to your application in this browser.',
    },
  }),
);
export const verifiedSchema = named(
  'VerifiedAccount',
  {
    ...accountSchema,
    properties: {
      ...accountSchema.properties,
      successUrl: {
        ...text,
        description: '`successUrl` of the authorization link. Redirect the browser to this URL.',
      },
      state: { ...text, description: '`state` with which your application created the authorization link.' },
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
          'Result of the revocation at the upstream. no_revocation_endpoint: the upstream offers no revocation. failed: the upstream did not confirm the revocation, so revoke the access at the upstream by hand.',
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
      description: 'URL of the connect page. Open this URL in the browser of the user.',
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

import type { ResponseOf } from '../api/call.ts';

type Connection = ResponseOf<'GET /operator/v1/applications/{applicationId}/connections/{connectionName}'>;
type Account = ResponseOf<'GET /operator/v1/applications/{applicationId}/accounts/{id}'>;
export type AuthType = Connection['authType'];
export type AccountStatus = Account['status'];

export type Tone = 'good' | 'warn' | 'bad' | 'soft';

export interface StateWords {
  readonly tone: Tone;
  readonly title: string;
  readonly explanation: string;
  /** Instruction to fix the state. Absent if the operator does not have to do anything. */
  readonly next?: string;
}

export interface AccountFacts extends Pick<Account, 'status' | 'statusReason'> {
  readonly authType: AuthType;
  /** Title of the account's connector. */
  readonly upstream: string;
}

export const takesKey = (authType: AuthType): boolean =>
  authType === 'api_key' || authType === 'bearer_token';

export const keyWord = (authType: AuthType): string => (authType === 'bearer_token' ? 'token' : 'API key');

const SEND_LINK = 'Send the user a new link.';
const RESTORE_BY_LINK = 'To restore the access, send the user a new link.';

const ENDED: Readonly<
  Record<NonNullable<Account['statusReason']>, (upstream: string) => Pick<StateWords, 'explanation' | 'next'>>
> = {
  token_expired: (upstream) => ({
    explanation: `The access token expired, and ${upstream} issued no refresh token.`,
    next: `${SEND_LINK} If access ends often, check that the connection requests offline access.`,
  }),
  token_refused: (upstream) => ({
    explanation: `${upstream} rejected the access token, and the account has no refresh token.`,
    next: SEND_LINK,
  }),
  key_refused: (upstream) => ({
    explanation: `${upstream} does not accept the key any more. Usually somebody revoked or replaced the key at ${upstream}.`,
    next: 'Enter a new key for the account.',
  }),
  refresh_refused: (upstream) => ({
    explanation: `${upstream} rejected the refresh token. Usually the user revoked the access at ${upstream}, or the user’s password or a policy of the user’s organization changed.`,
    next: SEND_LINK,
  }),
  refresh_outcome_unknown: (upstream) => ({
    explanation: `A token refresh was interrupted before its response arrived, and ${upstream} rejects the previous token.`,
    next: SEND_LINK,
  }),
  revoked_by_application: () => ({
    explanation: 'Your application revoked the access.',
    next: RESTORE_BY_LINK,
  }),
  revoked_by_operator: () => ({
    explanation: 'An operator revoked the access.',
    next: RESTORE_BY_LINK,
  }),
};

function endedWords({ statusReason, authType, upstream }: AccountFacts): StateWords {
  // A newer service may report a reason that this dashboard does not know.
  const words =
    statusReason !== undefined && Object.hasOwn(ENDED, statusReason)
      ? ENDED[statusReason](upstream)
      : { explanation: `The access to ${upstream} has ended.`, next: SEND_LINK };
  return {
    tone: 'bad',
    title: 'Access ended',
    ...words,
    ...(takesKey(authType) && { next: `Enter a new ${keyWord(authType)} for the account.` }),
  };
}

const ACCOUNT: Readonly<Record<AccountStatus, (facts: AccountFacts) => StateWords>> = {
  authorized: ({ authType, upstream }) => ({
    tone: 'good',
    title: 'Connected',
    explanation: takesKey(authType)
      ? `Calls use the stored ${keyWord(authType)}.`
      : `The user gave consent. Calls to ${upstream} run on behalf of the user.`,
  }),
  unauthorized: ({ authType, upstream }) =>
    takesKey(authType)
      ? {
          tone: 'warn',
          title: `No ${keyWord(authType)} yet`,
          explanation: `The account has no ${keyWord(authType)} for ${upstream}.`,
          next: `Enter the user’s ${keyWord(authType)}.`,
        }
      : {
          tone: 'warn',
          title: 'Waiting for consent',
          explanation: `The user has not given consent at ${upstream} yet.`,
          next: 'Send the user a link, which expires after 30 minutes.',
        },
  pending_verification: ({ upstream }) => ({
    tone: 'warn',
    title: 'Not verified yet',
    explanation: `Someone gave consent at ${upstream}, but your application has not confirmed that this person is the right user.`,
    next: 'Ask the user to finish the connection in your application, or send the user a new link.',
  }),
  reauthorization_required: endedWords,
};

/** Titles of the account statuses, in the order in which the account summary shows them. */
export const ACCOUNT_STATUSES: Readonly<Record<AccountStatus, string>> = {
  reauthorization_required: 'Access ended',
  unauthorized: 'Not connected yet',
  pending_verification: 'Not verified yet',
  authorized: 'Connected',
};

export const accountWords = (facts: AccountFacts): StateWords => ACCOUNT[facts.status](facts);

const CONNECTION: Readonly<Record<NonNullable<Connection['statusReason']>, StateWords>> = {
  invalid_client: {
    tone: 'bad',
    title: 'Client rejected',
    explanation:
      'The upstream rejects the client ID and secret. Users cannot connect, and tokens are not refreshed.',
    next: 'Check in the upstream’s console whether the client secret expired or was replaced, then enter the current client secret.',
  },
  connector_not_found: {
    tone: 'bad',
    title: 'Connector missing',
    explanation: 'The connector of this connection is no longer in the catalogue.',
    next: 'Restore the connector’s folder in SVC_CATALOG and restart the service, or delete the connection.',
  },
};

const NOT_WORKING: StateWords = {
  tone: 'bad',
  title: 'Not working',
  explanation: 'Users cannot connect. Test the connection to see the reason.',
};

const UNFINISHED: StateWords = {
  tone: 'warn',
  title: 'Setup incomplete',
  explanation: 'The connection has no client ID, so users cannot connect.',
  next: 'Register the redirect URI with the upstream, then enter the client ID and client secret from the upstream.',
};

const NO_ADDRESS: StateWords = {
  tone: 'bad',
  title: 'Region missing',
  explanation: 'The connector no longer has the region of this connection.',
  next: 'Choose another region in the settings of the connection.',
};

/** Texts for a failed connection test. The page shows them instead of the connection's usual state. */
export const TEST_FAILED: StateWords = {
  tone: 'bad',
  title: 'Test failed',
  explanation: 'The last test of the connection failed. The test results show the failed step.',
};

const READY: StateWords = { tone: 'good', title: 'Ready', explanation: 'Users can connect.' };

type ConnectionFacts = Pick<Connection, 'authType' | 'baseUrl' | 'clientId' | 'statusReason'>;

export function connectionWords({ authType, baseUrl, clientId, statusReason }: ConnectionFacts): StateWords {
  if (statusReason !== undefined) return CONNECTION[statusReason] ?? NOT_WORKING;
  if (baseUrl === null) return NO_ADDRESS;
  if (authType === 'oauth2' && clientId === null) return UNFINISHED;
  return READY;
}

const AUTH_TYPES: Readonly<Record<NonNullable<AuthType>, string>> = {
  oauth2: 'OAuth consent',
  mcp_oauth: 'OAuth consent, client registered automatically',
  api_key: 'One API key per user',
  bearer_token: 'One token per user',
};

export const authWords = (authType: AuthType): string =>
  authType === null ? 'Unknown' : AUTH_TYPES[authType];

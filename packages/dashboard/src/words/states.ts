import type { Answer } from '../api/call.ts';

type Connection = Answer<'GET /operator/v1/applications/{applicationId}/connections/{connectionName}'>;
type Account = Answer<'GET /operator/v1/applications/{applicationId}/accounts/{id}'>;
export type AuthType = Connection['authType'];
export type AccountStatus = Account['status'];

export type Tone = 'good' | 'warn' | 'bad' | 'soft';

export interface StateWords {
  readonly tone: Tone;
  readonly title: string;
  readonly story: string;
  /** The remedy; absent where nothing is to be done. */
  readonly next?: string;
}

/** The facts that decide an account's state. `upstream` is the connector's title. */
export interface AccountFacts extends Pick<Account, 'status' | 'statusReason'> {
  readonly authType: AuthType;
  readonly upstream: string;
}

export const takesKey = (authType: AuthType): boolean =>
  authType === 'api_key' || authType === 'bearer_token';

/** The word for the secret of an account. */
export const keyWord = (authType: AuthType): string => (authType === 'bearer_token' ? 'token' : 'API key');

const SEND_LINK = 'Send the user a new link.';

const ENDED: Readonly<
  Record<NonNullable<Account['statusReason']>, (upstream: string) => Pick<StateWords, 'story' | 'next'>>
> = {
  token_expired: (upstream) => ({
    story: `The access has run out, and ${upstream} gave nothing to renew it with.`,
    next: `${SEND_LINK} If this comes back often, look whether the connection asks for lasting access.`,
  }),
  token_refused: (upstream) => ({
    story: `${upstream} does not accept the token any more, and there is nothing to renew it with.`,
    next: SEND_LINK,
  }),
  refresh_refused: (upstream) => ({
    story: `${upstream} no longer renews the access. Most often the user took it back there, or their password or a rule of their organization changed.`,
    next: SEND_LINK,
  }),
  refresh_outcome_unknown: (upstream) => ({
    story: `A renewal was cut off before its answer came, and ${upstream} refuses the token from before it.`,
    next: SEND_LINK,
  }),
  revoked_by_application: () => ({
    story: 'Your application ended the access.',
    next: 'When it may be used again, send the user a new link.',
  }),
  revoked_by_operator: () => ({
    story: 'An operator ended the access.',
    next: 'When it may be used again, send the user a new link.',
  }),
};

function endedWords({ statusReason, authType, upstream }: AccountFacts): StateWords {
  // A newer service may report a reason that this page does not know.
  const words =
    statusReason !== undefined && Object.hasOwn(ENDED, statusReason)
      ? ENDED[statusReason](upstream)
      : { story: `The access at ${upstream} has ended.`, next: SEND_LINK };
  return {
    tone: 'bad',
    title: 'Access ended',
    ...words,
    ...(takesKey(authType) && { next: `Give the account a new ${keyWord(authType)}.` }),
  };
}

const ACCOUNT: Readonly<Record<AccountStatus, (facts: AccountFacts) => StateWords>> = {
  authorized: ({ authType, upstream }) => ({
    tone: 'good',
    title: 'Connected',
    story: takesKey(authType)
      ? `Calls are made with the ${keyWord(authType)} that it was given.`
      : `The user approved, and calls to ${upstream} are made in their name.`,
  }),
  unauthorized: ({ authType, upstream }) =>
    takesKey(authType)
      ? {
          tone: 'warn',
          title: `No ${keyWord(authType)} yet`,
          story: `The account is there, but has no ${keyWord(authType)} for ${upstream}.`,
          next: `Give it the ${keyWord(authType)} of the user.`,
        }
      : {
          tone: 'warn',
          title: 'Not approved yet',
          story: `The user has not approved at ${upstream}.`,
          next: 'Send the user a link; it works for 30 minutes.',
        },
  pending_verification: ({ upstream }) => ({
    tone: 'warn',
    title: 'Not verified yet',
    story: `Somebody approved at ${upstream}, and your application has not yet said that it was the right user.`,
    next: 'Have the user finish on the page of your application, or send a new link.',
  }),
  reauthorization_required: endedWords,
};

/** The titles of the states, in the order in which they are counted. */
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
    title: 'Client refused',
    story:
      'The upstream does not accept the client ID and secret, so no user can connect and no access is renewed.',
    next: 'Look into the upstream’s console whether the secret has ended or was replaced, and enter the current one.',
  },
  connector_not_found: {
    tone: 'bad',
    title: 'No connector',
    story: 'Its connector is not in the catalogue of this service any more.',
    next: 'Bring the connector’s folder back (SVC_CATALOG says where it was) and restart the service, or delete the connection.',
  },
};

const NOT_WORKING: StateWords = {
  tone: 'bad',
  title: 'Not working',
  story: 'Users cannot be connected. Test it to see why.',
};

const UNFINISHED: StateWords = {
  tone: 'warn',
  title: 'Not set up yet',
  story: 'It has no client ID, so no user can connect.',
  next: 'Register the redirect URI with the upstream, then enter the client ID and secret that you get there.',
};

const NO_ADDRESS: StateWords = {
  tone: 'bad',
  title: 'No address',
  story: 'Its region is not one of the connector’s any more.',
  next: 'Choose another region.',
};

/** The words for a failed test of a connection whose state is good. */
export const TEST_FAILED: StateWords = {
  tone: 'bad',
  title: 'Test failed',
  story: 'The last test found that it does not work.',
};

const READY: StateWords = { tone: 'good', title: 'Ready', story: 'Users can be connected.' };

type ConnectionFacts = Pick<Connection, 'authType' | 'baseUrl' | 'clientId' | 'statusReason'>;

export function connectionWords({ authType, baseUrl, clientId, statusReason }: ConnectionFacts): StateWords {
  if (statusReason !== undefined) return CONNECTION[statusReason] ?? NOT_WORKING;
  if (baseUrl === null) return NO_ADDRESS;
  if (authType === 'oauth2' && clientId === null) return UNFINISHED;
  return READY;
}

const AUTH_TYPES: Readonly<Record<NonNullable<AuthType>, string>> = {
  oauth2: 'Users approve (OAuth)',
  mcp_oauth: 'Users approve (OAuth, registers itself)',
  api_key: 'API key of each user',
  bearer_token: 'Token of each user',
};

/** The words for the way in which users connect. */
export const authWords = (authType: AuthType): string =>
  authType === null ? 'Unknown' : AUTH_TYPES[authType];

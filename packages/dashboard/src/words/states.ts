import type { ResponseOf } from '../api/call.ts';
import { toOperatorText } from './service-texts.ts';
import { clockOf } from './times.ts';

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

type RefreshFailure = NonNullable<Account['refreshFailure']>;

export interface AccountFacts
  extends Pick<Account, 'status' | 'statusReason' | 'refreshFailure' | 'notTested' | 'expiresAt'> {
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
    next: `${SEND_LINK} If access ends often, check whether the connection lacks a scope for offline access.`,
  }),
  token_refused: (upstream) => ({
    explanation: `${upstream} rejected the access token, and the account has no refresh token.`,
    next: SEND_LINK,
  }),
  key_refused: (upstream) => ({
    explanation: `${upstream} no longer accepts the key. Usually somebody revoked or replaced the key at ${upstream}.`,
    next: 'Enter a new key for the account.',
  }),
  refresh_refused: (upstream) => ({
    explanation: `${upstream} rejected the refresh token. Usually the user revoked the access at ${upstream}, the user’s password changed, or a policy of the user’s organization changed.`,
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
  authorized: 'Access granted',
};

/** Title of the state of an account whose token refresh fails. */
export const REFRESH_FAILING = 'Refresh failing';

function refreshWords(
  { since, reason }: RefreshFailure,
  expiresAt: string | undefined,
  now: number,
): StateWords {
  const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= now;
  const effect = isExpired
    ? 'The access token has expired, so calls fail.'
    : 'Calls work until the access token expires.';
  return {
    tone: 'warn',
    title: REFRESH_FAILING,
    explanation: `The token refresh has failed since ${clockOf(since, now)}. ${toOperatorText(reason)} ${effect}`,
    next: 'The service repeats the refresh. The user does not have to do anything.',
  };
}

/** Title of the state of an account or a connection that neither a test nor a call has shown to work. */
export const NOT_TESTED = 'Not tested yet';

const untestedWords = ({ authType, upstream }: AccountFacts): StateWords => ({
  tone: 'soft',
  title: NOT_TESTED,
  explanation: `The ${takesKey(authType) ? keyWord(authType) : 'additional credential'} is stored, but ${upstream} has not confirmed it: ${upstream} did not respond, or has no request that tests it.`,
  next: 'Try a tool. The first call shows whether the stored value is right.',
});

/** Returns the state of an account in words. `now` is the current time in milliseconds since 1970. */
export function accountWords(facts: AccountFacts, now = Date.now()): StateWords {
  const { expiresAt, refreshFailure, status } = facts;
  if (status === 'authorized' && refreshFailure) return refreshWords(refreshFailure, expiresAt, now);
  if (status === 'authorized' && facts.notTested) return untestedWords(facts);
  return ACCOUNT[status](facts);
}

const AUTH_TYPES: Readonly<Record<NonNullable<AuthType>, string>> = {
  oauth2: 'OAuth consent',
  mcp_oauth: 'OAuth consent, client registered automatically',
  api_key: 'One API key per user',
  bearer_token: 'One token per user',
};

export const authWords = (authType: AuthType): string =>
  authType === null ? 'Unknown' : AUTH_TYPES[authType];

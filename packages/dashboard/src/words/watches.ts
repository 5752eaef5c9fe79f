import type { ResponseOf } from '../api/call.ts';
import { errorWords } from './error-codes.ts';
import type { StateWords } from './states.ts';

export type Watch = ResponseOf<'GET /operator/v1/applications/{applicationId}/watches/{watchId}'>;
export type Subscription =
  ResponseOf<'GET /operator/v1/applications/{applicationId}/accounts/{id}/webhooks'>['items'][number];

type WatchFacts = Pick<Watch, 'enabled' | 'state' | 'reason'>;

/** Explains each reason why a watch fails, and what to do. */
export const FAILURES: Readonly<Record<string, string>> = {
  input_refused:
    'The tool no longer accepts the input of the watch. Delete the watch, then create a watch with another input through the API.',
  tool_removed:
    'The catalogue no longer contains the tool. Delete the watch, then create a watch of another tool through the API.',
  approval_required:
    'Calls to the tool need approval, and nobody can approve a poll. Change the approval rules of the connection, then continue the watch.',
  call_rejected: 'The upstream rejected several polls in a row. Open a failed call to see the response.',
  list_unreadable:
    'The upstream responded several times in a row with a list that the service cannot read. Open a failed call to see the cause.',
  too_many_items:
    'The list has more than 50,000 items. Delete the watch, then create one through the API with an input that returns a shorter list.',
  input_unreadable:
    'The service cannot decrypt the input of the watch. Delete the watch, or restore the database and its keys.',
  out_of_reach:
    'The watch paused for so long that the upstream no longer lists all changes. Delete the watch, then create it again through the API.',
};

/** Explains why a poll failed. The watch fails only after several such polls. Other reasons are error codes. */
export const POLL_FAILURES: Readonly<Record<string, string>> = {
  upstream_failed: 'The upstream responded with an error that usually passes.',
  call_rejected: 'The upstream rejected the poll.',
  list_unreadable: 'The upstream responded with a list that the service cannot read.',
  input_refused: 'The tool does not accept the input of the watch.',
  tool_removed: 'The catalogue does not contain the tool.',
  rate_limited: 'A rate limit of this service was reached.',
};

const pollFailure = (reason: string): string =>
  (Object.hasOwn(POLL_FAILURES, reason) ? POLL_FAILURES[reason] : undefined) ??
  errorWords(reason).explanation;

const STATES: Readonly<Record<Exclude<Watch['state'], 'failed'>, StateWords>> = {
  starting: {
    tone: 'soft',
    title: 'Starting',
    explanation: 'The service reads the whole list for the first time.',
  },
  watching: {
    tone: 'good',
    title: 'Watching',
    explanation: 'The service reports changes to the list as webhook events.',
  },
  paused: {
    tone: 'warn',
    title: 'Paused',
    explanation:
      'The account has no access to the upstream. The watch continues by itself when the account has access again.',
  },
};

/** Describes the state of a watch. */
export function watchWords({ enabled, state, reason = '' }: WatchFacts): StateWords {
  if (!enabled)
    return {
      tone: 'soft',
      title: 'Switched off',
      explanation: 'Your team or your application stopped the watch.',
    };
  if (state === 'paused' || (state !== 'failed' && reason === '')) return STATES[state];
  if (state !== 'failed')
    return {
      tone: 'warn',
      title: 'Last poll failed',
      explanation: `${pollFailure(reason)} The service polls again by itself. Open a failed call to see the cause.`,
    };
  // A newer service may report a reason that this dashboard does not know.
  const explanation = Object.hasOwn(FAILURES, reason) ? FAILURES[reason] : `The watch has ended: ${reason}.`;
  return { tone: 'bad', title: 'Failed', explanation: explanation ?? '' };
}

/** States of the webhooks that an upstream sends for an account. */
export const SUBSCRIPTIONS: Readonly<Record<Subscription['state'], StateWords>> = {
  active: { tone: 'good', title: 'Active', explanation: 'The upstream sends webhooks to the service.' },
  unconfirmed: {
    tone: 'warn',
    title: 'Unconfirmed',
    explanation:
      'The upstream did not confirm that the webhook exists. Delete the webhook, then create it again through the API.',
  },
};

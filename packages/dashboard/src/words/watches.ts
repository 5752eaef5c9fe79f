import type { ResponseOf } from '../api/call.ts';
import type { StateWords } from './states.ts';

export type Watch = ResponseOf<'GET /operator/v1/applications/{applicationId}/watches/{watchId}'>;
export type Subscription =
  ResponseOf<'GET /operator/v1/applications/{applicationId}/accounts/{id}/webhooks'>['items'][number];

type WatchFacts = Pick<Watch, 'enabled' | 'state' | 'reason'>;

const DELETE = 'Delete the watch, and create one with another';

/** Explanations of the reasons for which a watch ends, each with the remedy. */
export const FAILURES: Readonly<Record<string, string>> = {
  input_refused: `The tool does not accept the input of the watch any more. ${DELETE} input.`,
  tool_removed: `The catalogue does not contain the tool any more. ${DELETE} tool.`,
  approval_required:
    'Calls of the tool need approval, and nobody can approve a poll. Change the approval rules of the connection, then continue the watch.',
  call_rejected: 'The upstream rejected several polls in a row. Open a failed call to see the response.',
  list_unreadable:
    'The upstream responded several times in a row with a list that the service cannot read. Open a failed call to see the cause.',
  too_many_items: `The list has more than 50,000 items. ${DELETE} input, which returns a shorter list.`,
  input_unreadable:
    'The service cannot decrypt the input of the watch. Delete the watch, or restore the database and its keys.',
  out_of_reach:
    'The watch paused for so long that the upstream no longer lists all changes. Delete the watch, and create it again.',
};

const STATES: Readonly<Record<Exclude<Watch['state'], 'failed'>, StateWords>> = {
  starting: { tone: 'soft', title: 'Starting', explanation: 'The first poll reads the whole list.' },
  watching: { tone: 'good', title: 'Watching', explanation: 'Changes of the list become events.' },
  paused: {
    tone: 'warn',
    title: 'Paused',
    explanation:
      'The account has no access. The watch continues by itself when the account has access again.',
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
  if (state !== 'failed') return STATES[state];
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
    explanation: 'The upstream did not say whether the webhook exists. Delete it, and create a new one.',
  },
};

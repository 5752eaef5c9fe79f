import type { ResponseOf } from '../api/call.ts';
import type { StateWords } from './states.ts';
import { duration, since } from './times.ts';

export type Endpoint =
  ResponseOf<'GET /operator/v1/applications/{applicationId}/webhook-endpoints/{endpointId}'>;
export type Delivery = ResponseOf<'GET /operator/v1/applications/{applicationId}/deliveries/{deliveryId}'>;
export type WebhookEvent = ResponseOf<'GET /operator/v1/applications/{applicationId}/events/{eventId}'>;
export type EventType = WebhookEvent['type'];
export type DeliveryState = Delivery['state'];
type Attempt = Delivery['attempts'][number];

/** Titles of the service's own event types, in the order of the form. Events of upstreams have further types. */
export const EVENT_TITLES: Readonly<Record<EventType, string>> = {
  'account.authorized': 'Account authorized',
  'account.pending_verification': 'Account waits for verification',
  'account.reauthorization_required': 'Account needs a new consent',
  'account.deleted': 'Account deleted',
  'connection.changed': 'Connection changed',
  'approval.requested': 'Approval requested',
  'approval.decided': 'Approval decided',
  'execution.failed': 'Call failed',
  'endpoint.disabled': 'Webhook endpoint disabled',
  'watch.item_created': 'Watched list: item created',
  'watch.item_changed': 'Watched list: item changed',
  'watch.item_deleted': 'Watched list: item deleted',
  'watch.failed': 'Watch failed',
  'endpoint.tested': 'Test event',
};

/** Event types that an endpoint can choose. Each endpoint gets its own test events without choosing them. */
export const EVENT_TYPES: readonly EventType[] = Object.keys(EVENT_TITLES).filter(
  (type) => type !== 'endpoint.tested',
);

/** Returns the title of an event type. An event type of an upstream is its own title. */
export const titleOfEvent = (type: EventType): string => EVENT_TITLES[type] ?? type;

const MOST_NAMED = 2;

/** Summarizes the event types that a webhook endpoint gets. */
export function typesWords(types: readonly EventType[]): string {
  if (types.length <= MOST_NAMED) return types.map(titleOfEvent).join(', ');
  return EVENT_TYPES.every((type) => types.includes(type)) ? 'All types' : `${types.length}\u00a0types`;
}

export const DELIVERY_STATES: Readonly<Record<DeliveryState, string>> = {
  pending: 'Waiting',
  succeeded: 'Delivered',
  failed: 'Failed',
};

type DeliveryFacts = Pick<Delivery, 'state' | 'attemptCount' | 'nextAttemptAt'>;

function pendingWords({ attemptCount, nextAttemptAt }: DeliveryFacts, now: number): StateWords {
  if (nextAttemptAt === undefined)
    return {
      tone: 'soft',
      title: 'Waiting',
      explanation:
        'The endpoint gets the events of each account in order, and an earlier delivery for this account is not finished.',
    };
  const at = Date.parse(nextAttemptAt);
  const next = at <= now ? 'The next attempt is due now.' : `The next attempt starts ${since(at, now)}.`;
  return attemptCount === 0
    ? { tone: 'soft', title: 'Waiting', explanation: next }
    : { tone: 'warn', title: 'Retrying', explanation: `The last attempt failed. ${next}` };
}

/** Describes the state of a webhook delivery. `endpoint`: the endpoint of the delivery, if it is known. */
export function deliveryWords(
  delivery: DeliveryFacts,
  now: number = Date.now(),
  endpoint?: { readonly enabled: boolean; readonly pausedReason?: string | undefined },
): StateWords {
  const { state } = delivery;
  if (state === 'pending' && endpoint?.enabled === false)
    return {
      tone: 'soft',
      title: 'Waiting',
      explanation: 'The endpoint is disabled. The service makes the next attempt when somebody enables it.',
    };
  if (state === 'pending' && endpoint?.pausedReason !== undefined)
    return {
      tone: 'warn',
      title: 'Waiting',
      explanation:
        'The endpoint is paused. The service makes the next attempt after somebody has rotated the signing secret.',
    };
  if (state === 'pending') return pendingWords(delivery, now);
  if (state === 'succeeded')
    return { tone: 'good', title: 'Delivered', explanation: 'The endpoint responded with a 2xx status.' };
  return {
    tone: 'bad',
    title: 'Failed',
    explanation: 'The last attempt failed, and the service makes no more attempts.',
    next: 'Correct the receiver, then resend the delivery.',
  };
}

const FAILURES: Readonly<Record<string, string>> = {
  refused: 'the endpoint refused the connection',
  unknown_host: 'the host of the endpoint is unknown',
  tls: 'no secure connection was made',
  egress_proxy: 'the egress proxy failed',
  blocked_address: 'the address of the endpoint is blocked',
  unlisted_origin: 'the URL of the endpoint is not https on port 443',
  not_sent: 'the request contained a character that HTTP does not allow',
  timeout: 'the endpoint did not respond in time',
  upstream_timeout: 'the endpoint did not respond in time',
  closed: 'the connection broke before a response arrived',
  invalid_response: 'the response was not valid HTTP',
  headers_too_large: 'the headers of the response were too large',
};

/** Describes the outcome of one attempt to send a webhook delivery. */
export function attemptWords({ status, failure = '' }: Attempt): Pick<StateWords, 'tone' | 'title'> {
  if (status !== undefined)
    return { tone: status >= 200 && status < 300 ? 'good' : 'bad', title: `Status ${status}` };
  const reason = Object.hasOwn(FAILURES, failure) ? FAILURES[failure] : failure || 'unknown reason';
  return { tone: 'bad', title: `No response: ${reason}` };
}

/**
 * Returns the pause after each attempt of a webhook delivery in words. The last text is empty if no attempt follows.
 */
export function pausesOf({
  attempts,
  nextAttemptAt,
}: Pick<Delivery, 'attempts' | 'nextAttemptAt'>): string[] {
  return attempts.map(({ at, durationMs }, index) => {
    const next = attempts[index + 1]?.at ?? nextAttemptAt;
    if (next === undefined) return '';
    return duration(Math.max(0, Date.parse(next) - Date.parse(at) - durationMs));
  });
}

import type { ResponseOf } from '../api/call.ts';
import type { StateWords } from './states.ts';
import { clockOf } from './times.ts';

type Endpoint = ResponseOf<'GET /operator/v1/applications/{applicationId}/webhook-endpoints/{endpointId}'>;
export type EndpointFacts = Pick<Endpoint, 'enabled' | 'disabledReason' | 'pausedReason' | 'failingSince'>;

const ENABLE = 'After the receiver works again, enable the endpoint. Waiting deliveries then continue.';

const DISABLED: Readonly<Record<NonNullable<Endpoint['disabledReason']>, string>> = {
  gone: 'The endpoint responded with status 410, so the service disabled it.',
  failing: 'The service disabled the endpoint, because all delivery attempts failed for five days.',
};

/** Describes the state of a webhook endpoint. */
export function endpointWords(
  { enabled, disabledReason, pausedReason, failingSince }: EndpointFacts,
  now: number = Date.now(),
): StateWords {
  if (disabledReason !== undefined)
    return { tone: 'bad', title: 'Disabled', explanation: DISABLED[disabledReason], next: ENABLE };
  if (pausedReason !== undefined)
    return {
      tone: 'bad',
      title: 'Paused',
      explanation:
        'The service cannot decrypt the signing secret, so it sends nothing to the endpoint. The service keeps all deliveries.',
      next: 'Rotate the secret, and give the new one to the receiver. Waiting deliveries then continue.',
    };
  if (!enabled)
    return {
      tone: 'soft',
      title: 'Switched off',
      explanation: 'Your team or your application disabled the endpoint, so it gets no events.',
    };
  if (failingSince !== undefined)
    return {
      tone: 'bad',
      title: 'Failing',
      explanation: `All delivery attempts have failed since ${clockOf(failingSince, now)}. The service disables the endpoint if no attempt succeeds for five days.`,
      next: 'Open a delivery to see the responses of the receiver.',
    };
  return {
    tone: 'good',
    title: 'Enabled',
    explanation: 'The service sends new events of the chosen types to the endpoint.',
  };
}

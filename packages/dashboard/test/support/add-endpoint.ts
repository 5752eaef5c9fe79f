import { setTimeout as sleep } from 'node:timers/promises';
import type { Operator } from './operator.ts';

interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly attemptCount: number;
}

const TIMEOUT_MS = 20_000;
const POLL_MS = 50;

/** Creates an endpoint that gets events of accounts. Returns its ID. */
export async function addEndpoint(
  { call }: Operator,
  applicationId: string,
  settings: { readonly url: string; readonly description?: string; readonly types?: readonly string[] },
): Promise<string> {
  const body = { types: ['account.authorized', 'account.deleted', 'endpoint.disabled'], ...settings };
  return (await call<{ id: string }>('POST', `/applications/${applicationId}/webhook-endpoints`, body)).id;
}

/** Waits until the service has attempted a delivery to the endpoint. Returns the newest one. */
export async function attemptedDelivery(
  { call }: Operator,
  applicationId: string,
  endpointId: string,
): Promise<Delivery> {
  const list = `/applications/${applicationId}/deliveries?endpointId=${endpointId}`;
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await sleep(POLL_MS)) {
    const { items } = await call<{ items: readonly Delivery[] }>('GET', list);
    const [newest] = items;
    if (newest && newest.attemptCount > 0) return newest;
  }
  throw new Error(`The service sent no delivery to the endpoint ${endpointId}.`);
}

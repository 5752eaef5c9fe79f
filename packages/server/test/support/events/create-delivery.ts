import { vi } from 'vitest';
import type { Application } from '../service/application.js';

/** Ids of an endpoint, an event and its delivery. */
export interface DeliveryIds {
  readonly endpointId: string;
  readonly eventId: string;
  readonly deliveryId: string;
}

const CONNECTION = '/v1/connections/reporting';

/** Creates an endpoint and deletes an account, which causes an event. The endpoint is then disabled. */
export async function createDelivery({ call }: Pick<Application, 'call'>): Promise<DeliveryIds> {
  const endpoint = await call('POST', '/v1/webhook-endpoints', {
    body: { url: 'https://hooks.example.com/svc', types: ['account.deleted'] },
  });
  const { id: endpointId } = endpoint.json<{ id: string }>();
  await call('POST', '/v1/connections', {
    body: { connectionName: 'reporting', connector: 'convintel', baseUrl: 'https://10.0.0.9' },
  });
  await call('PUT', `${CONNECTION}/accounts/ada`);
  await call('DELETE', CONNECTION);
  const delivery = await vi.waitFor(async () => {
    const { items } = (await call('GET', `/v1/deliveries?endpointId=${endpointId}`)).json<{
      items: { id: string; eventId: string }[];
    }>();
    if (items[0] === undefined) throw new Error('The delivery does not exist yet.');
    return items[0];
  });
  await call('PATCH', `/v1/webhook-endpoints/${endpointId}`, { body: { enabled: false } });
  return { endpointId, eventId: delivery.eventId, deliveryId: delivery.id };
}

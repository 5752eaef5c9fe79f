import { expect, test } from 'vitest';
import { ENDPOINT, SERVICE_EVENT } from '../../test/support/databases/sample-rows.js';
import { addApplication, createServiceParts } from '../../test/support/service/service-parts.js';
import { EVENT_TYPES } from '../names/event-types.js';
import { createCheckTypes } from './check-types.js';
import { createDeliveries } from './deliveries.js';

test('a test of an endpoint does not touch the waiting events of other applications', async () => {
  const parts = await createServiceParts();
  const { storage } = parts;
  const [applicationId, other] = [await addApplication(parts, 'Shop'), await addApplication(parts, 'Other')];
  await storage.webhookEndpoints.insert({ ...ENDPOINT, applicationId });
  const { seq: _, ...event } = SERVICE_EVENT;
  await storage.events.insert([{ ...event, applicationId: other, id: 'evt_waiting', position: null }]);
  const serviceEvents = { notify: () => undefined };
  const deliveries = createDeliveries({ ...parts, checkTypes: createCheckTypes(EVENT_TYPES), serviceEvents });
  const delivery = await deliveries.sendTest(applicationId, ENDPOINT.id);
  expect(delivery).toMatchObject({ endpointId: ENDPOINT.id, type: 'endpoint.tested', state: 'pending' });
  expect(await deliveries.get(applicationId, delivery.id)).toEqual(delivery);
  expect(await storage.events.listWaiting({ after: '', limit: 10 })).toEqual([other]);
  await storage.webhookEndpoints.change({ applicationId, id: ENDPOINT.id }, { enabled: 0 });
  await expect(deliveries.sendTest(applicationId, ENDPOINT.id)).rejects.toMatchObject({ code: 'conflict' });
  await expect(deliveries.sendTest(other, ENDPOINT.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await storage.events.listWaiting({ after: '', limit: 10 })).toEqual([other]);
});

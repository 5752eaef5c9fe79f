import { type Calendar, calendar } from '@svc/calendar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectAccount, type Service, startService } from '../support/service/service.js';

let service: Service;
let tools: Calendar;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  tools = calendar(service.svc, await connectAccount(service, 'calendar'));
});

afterAll(() => service.stop());

// Calls with an idempotency key go through Fastify, and calls without a key bypass Fastify. Both must return the next
// input.
test.each([{ idempotencyKey: '' }, { idempotencyKey: 'key-1' }])(
  'a page returns the input of the next page, and the last page returns none: $idempotencyKey',
  async (options) => {
    const input = { calendar_id: 'primary', max_results: 3 };
    const { data, nextInput } = await tools.listEvents(input, options);
    expect(nextInput).toEqual({ page_token: data.nextPageToken });
    const last = await tools.listEvents({ ...input, max_results: 250, ...nextInput });
    expect(last.data.items).not.toHaveLength(0);
    expect(last).not.toHaveProperty('nextInput');
  },
);

test('each iterates over all pages', async () => {
  const { data } = await tools.listEvents({ calendar_id: 'primary' });
  const ids = [];
  for await (const { id } of tools.listEvents.each({ calendar_id: 'primary', max_results: 1 })) ids.push(id);
  expect(ids.length).toBeGreaterThan(1);
  expect(ids).toEqual(data.items?.map(({ id }) => id));
});

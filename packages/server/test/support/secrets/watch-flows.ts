import { expect } from 'vitest';
import type { Flow, World } from './secret-flows.js';

/** Lists requests in which an item of a watched list passes through the service. */
export const watchFlows = ({ identifier, secrets, service }: World): readonly Flow[] => [
  {
    title: 'a watch reports an item',
    ends: 204,
    run: async () => {
      // Responses with the item are not recorded, because the application may see it.
      const { call } = service.application;
      const summary = secrets.canary('an item of a watched list');
      const account = { connectionName: 'calendar', identifier };
      const event = { ...account, toolInput: { summary, start_datetime: '2026-12-01T09:00:00Z' } };
      await call('POST', '/v1/tools/calendar_create_event/execute', { body: event });
      const watch = { ...account, toolName: 'calendar_list_events', toolInput: {}, from: 'start' };
      const { id } = (await call('POST', '/v1/watches', { body: watch })).json<{ id: string }>();
      const events = async () => (await call('GET', '/v1/events?types=watch.item_created')).text;
      await expect.poll(events).toContain(summary);
      return call('DELETE', `/v1/watches/${id}`);
    },
  },
];

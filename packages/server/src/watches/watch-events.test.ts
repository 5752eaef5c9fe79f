import { expect, test } from 'vitest';
import { WATCH } from '../../test/support/databases/sample-rows.js';
import { itemEvent } from './watch-events.js';

const watch = { ...WATCH, connectionName: 'calendar', identifier: 'ada', account: '' };
const names = { accountId: WATCH.accountId, connectionName: 'calendar', identifier: 'ada' };
const common = { ...names, watchId: WATCH.id, toolName: WATCH.toolName, itemId: 'i1' };

test.each([
  {
    title: 'an item is sealed apart from its event, whose last field is null',
    data: { id: 'i1', summary: 'Review' },
    fields: { version: 'v1', item: null },
    payload: '{"id":"i1","summary":"Review"}',
  },
  {
    title: 'an item of more than 20 kB is left out',
    data: { id: 'i1', summary: 'é'.repeat(10_000) },
    fields: { version: 'v1', itemOmitted: true },
    payload: undefined,
  },
  {
    title: 'an event without an item has no field for it',
    data: undefined,
    fields: { version: 'v1' },
    payload: undefined,
  },
])('$title', ({ data, fields, payload }) => {
  const item = { id: 'i1', version: 'v1', ...(data && { data }) };
  const event = itemEvent(watch, { type: 'watch.item_changed', item }, 1);
  expect(JSON.stringify(event.draft.data)).toBe(JSON.stringify({ ...common, ...fields }));
  expect(event.payload?.reveal()).toBe(payload);
});

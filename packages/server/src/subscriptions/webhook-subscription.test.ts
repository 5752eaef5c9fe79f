import type { Tool, Webhooks } from '@svc/catalog';
import { expect, test } from 'vitest';
import { toDeleteInput } from './webhook-subscription.js';

test.each([
  { type: 'string', expected: '7' },
  { type: 'integer', expected: 7 },
  { type: 'number', expected: 7 },
  { type: ['integer', 'string'], expected: '7' },
])('the id of a subscription fits an input of the type $type', ({ type, expected }) => {
  const name = 'acme_hook_delete';
  const catalog = {
    tools: new Map([[name, {} as Tool]]),
    selectVersion: () => ({ input: { type: 'object', properties: { number: { type } } } }),
  };
  const webhooks = { delete: { tool: name, id: 'number' } } as Webhooks;
  expect(toDeleteInput(catalog, webhooks, '7')).toEqual({ number: expected });
});

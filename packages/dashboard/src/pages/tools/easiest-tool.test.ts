import { expect, test } from 'vitest';
import { easiestTool } from './easiest-tool.ts';

const READS = { readOnly: true, destructive: false, idempotent: true, longRunning: false };
const tool = (name: string, inputSchema: Record<string, unknown>, hints = READS) => ({
  name,
  title: name,
  hints,
  inputSchema,
});

test('begins with the tool that takes least and changes nothing', () => {
  const found = easiestTool([
    tool('get', { required: ['id'], properties: { id: {} } }),
    tool('search', { properties: { query: {}, limit: {} } }),
    tool('one', { exactlyOneOf: ['a', 'b'], properties: { a: {}, b: {} } }),
    tool('list', { properties: { limit: {} } }),
    tool('clear', { properties: {} }, { ...READS, readOnly: false }),
    tool('scrape', { properties: {} }, { ...READS, longRunning: true }),
  ]);
  expect(found?.name).toBe('list');
});

test('takes one that needs little where each needs something, and none that changes something', () => {
  const one = tool('one', { required: ['id'], properties: { id: {}, depth: {} } });
  const two = tool('two', { required: ['id', 'kind'], properties: { id: {}, kind: {} } });
  const clear = tool('clear', {}, { ...READS, readOnly: false });
  expect(easiestTool([two, one, clear])?.name).toBe('one');
  expect(easiestTool([clear])).toBeUndefined();
});

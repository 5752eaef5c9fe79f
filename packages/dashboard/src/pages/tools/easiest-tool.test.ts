import { expect, test } from 'vitest';
import { easiestTool } from './easiest-tool.ts';

const READS = { readOnly: true, destructive: false, idempotent: true, longRunning: false };
const tool = (name: string, inputSchema: Record<string, unknown>, hints = READS) => ({
  name,
  title: name,
  hints,
  inputSchema,
});

test('the easiest tool is read-only and has the fewest inputs', () => {
  const easiest = easiestTool([
    tool('get', { required: ['id'], properties: { id: {} } }),
    tool('search', { properties: { query: {}, limit: {} } }),
    tool('one', { exactlyOneOf: ['a', 'b'], properties: { a: {}, b: {} } }),
    tool('list', { properties: { limit: {} } }),
    tool('clear', { properties: {} }, { ...READS, readOnly: false }),
    tool('scrape', { properties: {} }, { ...READS, longRunning: true }),
  ]);
  expect(easiest?.name).toBe('list');
});

test('a tool with few required inputs is easiest, and a tool that writes never is', () => {
  const one = tool('one', { required: ['id'], properties: { id: {}, depth: {} } });
  const two = tool('two', { required: ['id', 'kind'], properties: { id: {}, kind: {} } });
  const clear = tool('clear', {}, { ...READS, readOnly: false });
  expect(easiestTool([two, one, clear])?.name).toBe('one');
  expect(easiestTool([clear])).toBeUndefined();
});

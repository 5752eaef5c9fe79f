import { expect, test } from 'vitest';
import type { ToolSummary } from '../../api/catalogue.ts';
import { effectOf, findTools, firstSentence } from './find-tools.ts';

const tool = (name: string, fields: Partial<ToolSummary> = {}): ToolSummary => ({
  name,
  connector: name.split('_')[0] ?? '',
  title: '',
  description: '',
  scopes: [],
  hints: { readOnly: true, destructive: false, idempotent: true, longRunning: false },
  ...fields,
});
const tools = [
  tool('calendar_list_events', { title: 'List events', description: 'Also finds videos of meetings.' }),
  tool('video_search', { title: 'Search videos' }),
  tool('video_delete', {
    title: 'Delete a video',
    hints: { readOnly: false, destructive: true, idempotent: true, longRunning: false },
  }),
];
const find = (wanted: Partial<Parameters<typeof findTools>[1]>) =>
  findTools(tools, { words: '', connector: '', effect: '', ...wanted }).map(({ name }) => name);

test('finds tools that contain every word, matches in the title first', () => {
  expect(find({ words: 'VIDEO' })).toEqual(['video_search', 'video_delete', 'calendar_list_events']);
  expect(find({ words: 'video  delete' })).toEqual(['video_delete']);
  expect(find({ words: 'nothing' })).toEqual([]);
});

test('finds tools by connector and by effect', () => {
  expect(find({ connector: 'calendar' })).toEqual(['calendar_list_events']);
  expect(find({ effect: 'destroys' })).toEqual(['video_delete']);
});

test('the effect of a writing tool depends on the destructive hint', () => {
  const hints = { readOnly: false, destructive: false, idempotent: false, longRunning: false };
  expect(effectOf(hints)).toBe('changes');
  expect(effectOf({ ...hints, destructive: true })).toBe('destroys');
});

test('the first sentence of a description may contain dots', () => {
  expect(firstSentence('Reads v1.2 of it. And more.')).toBe('Reads v1.2 of it.');
  expect(firstSentence('No full stop')).toBe('No full stop');
});

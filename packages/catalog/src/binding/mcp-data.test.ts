import { expect, test } from 'vitest';
import { mcpData } from './mcp-data.js';

const block = (text: string) => ({ type: 'text', text });
const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };

test.each([
  {
    title: 'the structured result if there is one',
    result: { structuredContent: { items: [] }, content: [block('{"items":[]}')] },
    data: { items: [] },
  },
  {
    title: 'the text unchanged',
    result: { content: [block(' a < b\r\n')] },
    data: { text: ' a < b\r\n', content: [block(' a < b\r\n')] },
  },
  {
    title: 'the concatenated text of all text blocks',
    result: { content: [block('a\n'), image, block('b')] },
    data: { text: 'a\nb', content: [block('a\n'), image, block('b')] },
  },
  {
    title: 'an empty text for a result without content',
    result: { content: [] },
    data: { text: '', content: [] },
  },
])('returns $title', ({ result, data }) => {
  expect(mcpData(result)).toEqual(data);
});

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

test.each([
  { title: 'the parsed JSON of the text', text: '{"a":1}', data: { a: 1 } },
  { title: 'parsed JSON of 200 levels', text: nested(200), data: JSON.parse(nested(200)) },
  { title: 'the text of JSON of 201 levels', text: nested(201), data: { text: nested(201) } },
  { title: 'the text of JSON of 100,000 levels', text: nested(100_000), data: { text: nested(100_000) } },
  { title: 'the text of a JSON list', text: '[1]', data: { text: '[1]' } },
])('returns $title when the tool expects JSON', ({ text, data }) => {
  expect(mcpData({ content: [block(text)] }, { json: true })).toMatchObject(data);
});

import { expect, test } from 'vitest';
import { mcpData } from './mcp-data.js';

const block = (text: string) => ({ type: 'text', text });
const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };

test.each([
  {
    title: 'the structured result where there is one',
    result: { structuredContent: { items: [] }, content: [block('{"items":[]}')] },
    data: { items: [] },
  },
  {
    title: 'the text as it came',
    result: { content: [block(' a < b\r\n')] },
    data: { text: ' a < b\r\n', content: [block(' a < b\r\n')] },
  },
  {
    title: 'the texts of all text blocks, one after the other',
    result: { content: [block('a\n'), image, block('b')] },
    data: { text: 'a\nb', content: [block('a\n'), image, block('b')] },
  },
  { title: 'no text where there is none', result: { content: [] }, data: { text: '', content: [] } },
])('gives $title', ({ result, data }) => {
  expect(mcpData(result)).toEqual(data);
});

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

test.each([
  { title: 'the JSON in the text', text: '{"a":1}', data: { a: 1 } },
  { title: 'JSON of 200 levels', text: nested(200), data: JSON.parse(nested(200)) },
  { title: 'the text of JSON of 201 levels', text: nested(201), data: { text: nested(201) } },
  { title: 'the text of JSON of 100,000 levels', text: nested(100_000), data: { text: nested(100_000) } },
  { title: 'the text of a list', text: '[1]', data: { text: '[1]' } },
])('gives $title where JSON is expected', ({ text, data }) => {
  expect(mcpData({ content: [block(text)] }, { json: true })).toMatchObject(data);
});

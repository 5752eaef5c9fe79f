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

import { expect, test } from 'vitest';
import { hasSoundHeaders } from './mcp-session.js';

const region = { type: 'string', 'x-mcp-header': 'Region' };

test.each([
  { title: 'no headers', schema: { properties: { region: { type: 'string' } } } },
  {
    title: 'a header of each primitive',
    schema: { properties: { region, size: header('Size', 'integer') } },
  },
  { title: 'a header of a property within', schema: { properties: { where: { properties: { region } } } } },
  { title: 'a property of that name', schema: { properties: { 'x-mcp-header': { type: 'object' } } } },
])('takes a tool with $title', ({ schema }) => {
  expect(hasSoundHeaders({ type: 'object', ...schema })).toBe(true);
});

test.each([
  { title: 'an empty name', schema: { properties: { a: header('') } } },
  { title: 'a line break', schema: { properties: { a: header('a\r\nAuthorization: x') } } },
  { title: 'a space', schema: { properties: { a: header('My Region') } } },
  { title: 'a colon', schema: { properties: { a: header('Region:1') } } },
  { title: 'letters beyond ASCII', schema: { properties: { a: header('Région') } } },
  { title: 'no text', schema: { properties: { a: header(7) } } },
  { title: 'an object', schema: { properties: { a: header('A', 'object') } } },
  { title: 'a list', schema: { properties: { a: header('A', 'array') } } },
  { title: 'null', schema: { properties: { a: header('A', 'null') } } },
  { title: 'one name twice', schema: { properties: { a: region, b: header('rEGION') } } },
  { title: 'the input itself', schema: { 'x-mcp-header': 'A' } },
  { title: 'items', schema: { properties: { list: { type: 'array', items: region } } } },
  { title: 'one of several forms', schema: { anyOf: [{ properties: { region } }] } },
  { title: 'a definition', schema: { $defs: { region } } },
])('refuses a tool whose header is of $title', ({ schema }) => {
  expect(hasSoundHeaders({ type: 'object', ...schema })).toBe(false);
});

function header(name: unknown, type = 'string') {
  return { type, 'x-mcp-header': name };
}

import { expect, test } from 'vitest';
import { hasSoundHeaders } from './mcp-session.js';

const region = { type: 'string', 'x-mcp-header': 'Region' };

test.each([
  { title: 'no headers', schema: { properties: { region: { type: 'string' } } } },
  {
    title: 'a header of each primitive',
    schema: { properties: { region, size: header('Size', 'integer') } },
  },
  { title: 'a header of a nested property', schema: { properties: { where: { properties: { region } } } } },
  { title: 'a property named x-mcp-header', schema: { properties: { 'x-mcp-header': { type: 'object' } } } },
])('a tool definition with $title is accepted', ({ schema }) => {
  expect(hasSoundHeaders({ type: 'object', ...schema })).toBe(true);
});

test.each([
  { title: 'an empty header name', schema: { properties: { a: header('') } } },
  { title: 'a line break in the name', schema: { properties: { a: header('a\r\nAuthorization: x') } } },
  { title: 'a space in the name', schema: { properties: { a: header('My Region') } } },
  { title: 'a colon in the name', schema: { properties: { a: header('Region:1') } } },
  { title: 'a non-ASCII name', schema: { properties: { a: header('Région') } } },
  { title: 'a name that is not a string', schema: { properties: { a: header(7) } } },
  { title: 'an object property', schema: { properties: { a: header('A', 'object') } } },
  { title: 'an array property', schema: { properties: { a: header('A', 'array') } } },
  { title: 'a null property', schema: { properties: { a: header('A', 'null') } } },
  { title: 'a duplicate name', schema: { properties: { a: region, b: header('rEGION') } } },
  { title: 'a header at the input itself', schema: { 'x-mcp-header': 'A' } },
  { title: 'a header of array items', schema: { properties: { list: { type: 'array', items: region } } } },
  { title: 'a header in anyOf', schema: { anyOf: [{ properties: { region } }] } },
  { title: 'a header in a definition', schema: { $defs: { region } } },
])('a tool definition with $title is refused', ({ schema }) => {
  expect(hasSoundHeaders({ type: 'object', ...schema })).toBe(false);
});

function header(name: unknown, type = 'string') {
  return { type, 'x-mcp-header': name };
}

import { expect, test } from 'vitest';
import { additionalScopes, readScopes, toolsEnabledBy, toolsWithout } from './scope-checklist.tsx';

const tool = (name: string, scopes: string[]) => ({ name, title: name, scopes });
const list = tool('list', ['read', 'write']);
const create = tool('create', ['write']);
const ping = tool('ping', []);
const TOOLS = [list, create, ping];

test('a scope enables the tools that list it', () => {
  expect(toolsEnabledBy('read', TOOLS)).toEqual([list]);
  expect(toolsEnabledBy('write', TOOLS)).toEqual([list, create]);
});

test('a tool works with one of its scopes, and a tool without scopes always works', () => {
  expect(toolsWithout(['read'], TOOLS)).toEqual([create]);
  expect(toolsWithout([], TOOLS)).toEqual([list, create]);
  expect(toolsWithout(['write'], TOOLS)).toEqual([]);
});

test('additional scopes are those that the connector does not describe', () => {
  const scopes = [{ name: 'read', description: 'Read.', default: true }];
  expect(additionalScopes(['read', 'admin'], { scopes })).toEqual(['admin']);
});

test('splits scopes at any separator, without duplicates', () => {
  expect(readScopes(' a,b\n a  c ')).toEqual(['a', 'b', 'c']);
  expect(readScopes('')).toEqual([]);
});

import { expect, test } from 'vitest';
import { furtherScopes, readScopes, toolsOpenedBy, toolsWithout } from './scope-checklist.tsx';

const tool = (name: string, scopes: string[]) => ({ name, title: name, scopes });
const list = tool('list', ['read', 'write']);
const create = tool('create', ['write']);
const ping = tool('ping', []);
const TOOLS = [list, create, ping];

test('a scope opens the tools that name it', () => {
  expect(toolsOpenedBy('read', TOOLS)).toEqual([list]);
  expect(toolsOpenedBy('write', TOOLS)).toEqual([list, create]);
});

test('a tool works with one of its scopes, and one without scopes always does', () => {
  expect(toolsWithout(['read'], TOOLS)).toEqual([create]);
  expect(toolsWithout([], TOOLS)).toEqual([list, create]);
  expect(toolsWithout(['write'], TOOLS)).toEqual([]);
});

test('tells the scopes that the connector does not know', () => {
  const scopes = [{ name: 'read', description: 'Read.', default: true }];
  expect(furtherScopes(['read', 'admin'], { scopes })).toEqual(['admin']);
});

test('reads scopes however they are set apart, each once', () => {
  expect(readScopes(' a,b\n a  c ')).toEqual(['a', 'b', 'c']);
  expect(readScopes('')).toEqual([]);
});

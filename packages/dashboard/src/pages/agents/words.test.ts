import { expect, test } from 'vitest';
import { originOf, permissionsOf } from './words.ts';

const MCP_URL = 'https://svc.example.com/mcp/apps/app_1';
const BOTH = 'tools:read tools:write';

test.each([
  { scope: BOTH, resource: MCP_URL, words: 'All tools' },
  { scope: 'tools:read', resource: MCP_URL, words: 'Read-only tools' },
  { scope: BOTH, resource: `${MCP_URL}/calendar`, words: 'All tools of Calendar' },
  { scope: 'tools:read', resource: `${MCP_URL}/calendar`, words: 'Read-only tools of Calendar' },
  { scope: BOTH, resource: `${MCP_URL}2`, words: `Access to ${MCP_URL}2` },
  { scope: BOTH, resource: 'nothing', words: 'Access to nothing' },
])('the scope $scope for $resource is shown as "$words"', ({ words, ...grant }) => {
  const titleOf = (name: string) => (name === 'calendar' ? 'Calendar' : name);
  expect(permissionsOf(grant, 'app_1', titleOf)).toBe(words);
});

test.each([
  { clientId: 'client_0123', words: 'Added manually' },
  { clientId: 'reg_abc.def', words: 'Self-registered' },
  { clientId: 'https://claude.example/client.json', words: 'Client metadata document' },
])('the client $clientId is shown as "$words"', ({ clientId, words }) => {
  expect(originOf(clientId)).toBe(words);
});

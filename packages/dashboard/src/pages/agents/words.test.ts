import { expect, test } from 'vitest';
import { cameBy, mayOf } from './words.ts';

const DOOR = 'https://svc.example.com/mcp/apps/app_1';
const BOTH = 'tools:read tools:write';

test.each([
  { scope: BOTH, resource: DOOR, words: 'All tools' },
  { scope: 'tools:read', resource: DOOR, words: 'Tools that only read' },
  { scope: BOTH, resource: `${DOOR}/calendar`, words: 'All tools of Calendar' },
  { scope: 'tools:read', resource: `${DOOR}/calendar`, words: 'Tools of Calendar that only read' },
  { scope: BOTH, resource: `${DOOR}2`, words: `Reach ${DOOR}2` },
  { scope: BOTH, resource: 'nothing', words: 'Reach nothing' },
])('$scope at $resource is: $words', ({ words, ...grant }) => {
  const titleOf = (name: string) => (name === 'calendar' ? 'Calendar' : name);
  expect(mayOf(grant, 'app_1', titleOf)).toBe(words);
});

test.each([
  { clientId: 'client_0123', words: 'Added beforehand' },
  { clientId: 'reg_abc.def', words: 'Registered itself' },
  { clientId: 'https://claude.example/client.json', words: 'By its own document' },
])('$clientId came so: $words', ({ clientId, words }) => {
  expect(cameBy(clientId)).toBe(words);
});

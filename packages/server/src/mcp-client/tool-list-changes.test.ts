import { expect, test } from 'vitest';
import type { AuditEvent, Commit } from '../records/commit.js';
import type { McpContext } from './mcp-sessions.js';
import type { McpTool } from './mcp-tool.js';
import { createNoteToolList } from './tool-list-changes.js';

const tool = (name: string, type = 'string', description = ''): McpTool => ({
  name,
  description,
  inputSchema: { properties: { actor: { type } } },
});
const contextOf = (connectionId: string) =>
  ({ account: { applicationId: 'app_1', connectionId, baseUrl: 'https://mcp.example' } }) as McpContext;

function createNotes() {
  const events: AuditEvent[] = [];
  const commit = (async (work) => work({} as never, (event) => events.push(event))) as Commit;
  const note = createNoteToolList({ commit });
  return { events, note: (tools: McpTool[], id = 'conn_1') => note(contextOf(id), tools) };
}

const many = Array.from({ length: 13 }, (_, index) => tool(`tool-${index}`));

test.each([
  { title: 'a new tool', before: [tool('a')], after: [tool('a'), tool('b')], reason: 'added: b' },
  { title: 'a removed tool', before: [tool('a'), tool('b')], after: [tool('a')], reason: 'removed: b' },
  {
    title: 'a tool with another input schema',
    before: [tool('a')],
    after: [tool('a', 'number')],
    reason: 'changed: a',
  },
  {
    title: 'a replaced tool',
    before: [tool('a'), tool('b')],
    after: [tool('b'), tool('c')],
    reason: 'added: c; removed: a',
  },
  {
    title: 'a tool name with special characters',
    before: [],
    after: [tool('a\n<b>')],
    reason: 'added: (other name)',
  },
  {
    title: 'the first ten of many tools',
    before: [],
    after: many,
    reason: expect.stringMatching(/^added: tool-0, .*, tool-9 and 3 more$/),
  },
])('the audit log names $title', async ({ before, after, reason }) => {
  const { events, note } = createNotes();
  await note(before);
  await note(after);
  await note(after);

  expect(events).toEqual([
    { action: 'connection.tools_changed', applicationId: 'app_1', object: 'conn_1', reason },
  ]);
});

test('a first list, an equal list, another order and another description are no changes', async () => {
  const { events, note } = createNotes();
  await note([tool('a'), tool('b')]);
  await note([tool('b'), tool('a', 'string', 'Other words.')]);
  await note([tool('c')], 'conn_2');

  expect(events).toEqual([]);
});

import { loadCatalog, parseJson } from '@svc/catalog';
import { expect, test } from 'vitest';
import type { AccountChoice } from './accessible-connections.js';
import type { AgentCall } from './call-tool.js';
import { createDispatchCall } from './dispatch-call.js';
import { isFailure, resultText } from './outcome.js';
import { createDescribeTool } from './wire-tool.js';

const MAX_DESCRIBED_CHARACTERS = 8192;
const catalog = loadCatalog({ now: () => new Date('2026-11-20T12:00:00Z') });
const unused = () => {
  throw new Error('describe_tool runs nothing');
};
const dispatchCall = createDispatchCall({
  callTool: unused,
  describeTool: createDescribeTool(catalog),
  jobs: { wait: unused, get: unused },
  recordRefused: unused,
});

const choices = (count: number): readonly AccountChoice[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `account-of-the-department-number-${index}`,
    connectionName: 'main',
    account: `account-of-the-department-number-${index}`,
    isConnected: true,
    connectedAs: `"department ${index}" <department-${index}@subsidiary.example.com>`,
  }));

async function describeTool(input: Readonly<Record<string, unknown>>, accounts: readonly AccountChoice[]) {
  const connections = new Map([...catalog.connectors.keys()].map((id) => [id, accounts]));
  const toolset = { tools: catalog.tools, connections, listedNames: new Set(['describe_tool']) };
  // The cast is safe, because `describe_tool` reads only these properties.
  const outcome = await dispatchCall('describe_tool', { toolset, input } as unknown as AgentCall);
  if (outcome === undefined || isFailure(outcome)) throw new Error(JSON.stringify(outcome));
  const text = resultText(outcome);
  expect({ ...input, length: text.length }).toEqual({
    ...input,
    length: expect.toSatisfy((length: number) => length <= MAX_DESCRIBED_CHARACTERS),
  });
  const { content } = parseJson(text) as { readonly content: readonly { readonly text: string }[] };
  return JSON.parse(content[0]?.text ?? '');
}

test.each([2, 10, 100])('describes each tool in at most 8 kB for a user with %i accounts', async (count) => {
  for (const { name } of catalog.tools.values()) {
    const { inputSchema } = await describeTool({ name }, choices(count));
    const { account, connected_account = account } = inputSchema.properties;
    expect(connected_account.type).toBe('string');
  }
});

test('names all accounts of a user who has few', async () => {
  const { inputSchema } = await describeTool({ name: 'calendar_list_events' }, choices(3));
  expect(inputSchema.properties.account.enum).toHaveLength(3);
});

test('lists all accounts of a user who has many, in parts that say how to get the next one', async () => {
  const accounts = choices(100);
  const name = 'calendar_list_events';
  const { inputSchema } = await describeTool({ name }, accounts);
  expect(inputSchema.properties.account.description).toMatch(
    /account-of-the-department-number-0 is .*describe_tool with definition "account" lists all 100 accounts\.$/,
  );
  const listed: string[] = [];
  for (let definition: string | undefined = 'account'; definition !== undefined; ) {
    const part = await describeTool({ name, definition }, accounts);
    listed.push(...part.accounts.map((each: AccountChoice) => each.name));
    definition = /definition = "([^"]+)"/.exec(part.hint ?? '')?.[1];
  }
  expect(listed).toEqual(accounts.map((each) => each.name));
});

import { tool as agentsTool, RunContext } from '@openai/agents';
import { schemas } from '@svc/calendar/schemas';
import { tool as langchainTool, ToolInvocationError } from 'langchain';
import { expect, test } from 'vitest';
import { tools } from '../src/index.js';
import { langchainTools } from '../src/langchain.js';
import { openaiAgentsTools } from '../src/openai-agents.js';
import { recordedClient } from './support/recorded-client.js';

const { client, calls } = recordedClient();
const agentTools = tools(client, { schemas, accounts: { calendar: 'acct_1' } });

test.each(['', '{"summary":', 'not JSON'])(
  'OpenAI Agents: reports invalid_input to the model when the arguments %j are not JSON',
  async (text) => {
    const [tool] = openaiAgentsTools(agentTools, agentsTool);
    const output = await tool?.invoke(new RunContext(), text);
    expect(output).toContain('invalid_input');
    expect(calls).toEqual([]);
  },
);

test('LangChain: reports a schema violation to the model, even when another middleware wraps the error', () => {
  const call = { type: 'tool_call', id: 'call_1', name: 'calendar_create_event', args: {} } as const;
  const refused = new ToolInvocationError(new Error('"summary" is required'), call);
  const { onError } = langchainTools(agentTools, langchainTool);
  for (const error of [refused, new Error('Of a middleware', { cause: refused })]) {
    expect(JSON.parse(onError(error) ?? '')).toMatchObject({
      error: { code: 'invalid_input', message: '"summary" is required' },
    });
  }
  expect(onError(new Error('A fault of the program'))).toBeUndefined();
});

const accounts = { calendar: 'acct_1' };
test.each([
  {
    title: 'a misspelt option',
    options: { schemas, accounts, dryrun: true },
    message: /"dryrun"\. Did you mean "dryRun"/,
  },
  { title: 'no schemas', options: { accounts }, message: /"schemas" of tools is missing/ },
  { title: 'no accounts', options: { schemas }, message: /"accounts" of tools is missing/ },
  {
    title: 'a list of tools that need an approval',
    options: { schemas, accounts, needsApproval: ['calendar_delete_event'] },
    message: /"needsApproval" of tools must be a function/,
  },
  {
    title: 'a dry run as text',
    options: { schemas, accounts, dryRun: 'yes' },
    message: /"dryRun" of tools must be true/,
  },
])('refuses $title in plain JavaScript', ({ options, message }) => {
  // Plain JavaScript calls the function without its types.
  const untyped = tools as (client: unknown, options: object) => unknown;
  expect(() => untyped(client, options)).toThrow(message);
});

import { Command } from '@langchain/langgraph';
import { Agent, tool as agentsTool, run } from '@openai/agents';
import { calendar, createClient } from '@svc/calendar';
import { generateText, isStepCount, jsonSchema, type ModelMessage } from 'ai';
import { createAgent, humanInTheLoopMiddleware, tool as langchainTool } from 'langchain';
import { beforeEach, expect, inject, test } from 'vitest';
import { aiTools } from '../src/ai.js';
import { langchainTools } from '../src/langchain.js';
import { openaiAgentsTools } from '../src/openai-agents.js';
import { modelOptions as aiOptions } from './frameworks/ai.js';
import { modelOptions as langchainOptions } from './frameworks/langchain.js';
import { modelOptions as agentsOptions } from './frameworks/openai-agents.js';
import { calendarTools } from './support/common.js';
import { createScript } from './support/script.js';
import { user } from './support/service.js';

const svc = createClient(inject('service'));
const events = calendar(svc, user);
const agentTools = calendarTools(svc, user);
let event_id: string;

beforeEach(async () => {
  const { data } = await events.createEvent({ summary: 'Goes', start_datetime: '2026-12-03T09:00:00Z' });
  event_id = data.id;
});

const script = () =>
  createScript([{ call: 'calendar_delete_event', input: { event_id } }, { text: 'It is deleted.' }]);
const statusOfEvent = async () => (await events.getEventById({ event_id, show_deleted: true })).data.status;

test('AI SDK: a call that needs approval runs after the user approves it', async () => {
  const { model } = aiOptions(script());
  const settings = { model, ...aiTools(agentTools, jsonSchema), stopWhen: isStepCount(5) };
  const messages: ModelMessage[] = [{ role: 'user', content: 'Delete it.' }];
  const { content, response } = await generateText({ ...settings, messages });
  const request = content.find((part) => part.type === 'tool-approval-request');
  expect(request?.toolCall.toolName).toBe('calendar_delete_event');
  expect(await statusOfEvent()).toBe('confirmed');

  const approvalId = request?.approvalId ?? '';
  const reply = { type: 'tool-approval-response', approvalId, approved: true } as const;
  const { text } = await generateText({
    ...settings,
    messages: [...messages, ...response.messages, { role: 'tool', content: [reply] }],
  });
  expect(text).toBe('It is deleted.');
  expect(await statusOfEvent()).toBe('cancelled');
});

test('OpenAI Agents: a call that needs approval runs after the user approves it', async () => {
  const tools = openaiAgentsTools(agentTools, agentsTool);
  const agent = new Agent({ name: 'Assistant', ...agentsOptions(script()), tools });
  const { interruptions, state } = await run(agent, 'Delete it.');
  expect(interruptions.map(({ name }) => name)).toEqual(['calendar_delete_event']);
  expect(await statusOfEvent()).toBe('confirmed');

  for (const interruption of interruptions) state.approve(interruption);
  const { finalOutput } = await run(agent, state);
  expect(finalOutput).toBe('It is deleted.');
  expect(await statusOfEvent()).toBe('cancelled');
});

test('LangChain: a call that needs approval runs after the user approves it', async () => {
  const { tools, interruptOn } = langchainTools(agentTools, langchainTool);
  const middleware = [humanInTheLoopMiddleware({ interruptOn })] as const;
  const agent = createAgent({ ...langchainOptions(script()), tools, middleware });
  const thread = { configurable: { thread_id: 'thread_1' } };
  const state = await agent.invoke({ messages: [{ role: 'user', content: 'Delete it.' }] }, thread);
  expect(JSON.stringify(state)).toContain('Delete an event');
  expect(await statusOfEvent()).toBe('confirmed');

  await agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), thread);
  expect(await statusOfEvent()).toBe('cancelled');
});

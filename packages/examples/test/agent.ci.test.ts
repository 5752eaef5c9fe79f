import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { calendar } from '@svc/calendar';
import { approve } from '@svc/sandbox';
import { type RunningService, startService } from '@svc/testing/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../scripts/free-port.ts';
import { startExample } from './start-example.js';

interface ModelRequest {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
}

/** Starts a fake OpenAI-compatible API that returns `replies` in order, one for each request. */
async function startModel(replies: readonly object[]) {
  const requests: ModelRequest[] = [];
  const port = await freePort();
  const server = createServer(async (request, response) => {
    requests.push((await json(request)) as ModelRequest);
    const message = { role: 'assistant', content: null, ...replies[requests.length - 1] };
    const finish = 'tool_calls' in message ? 'tool_calls' : 'stop';
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 0,
        model: 'scripted',
        choices: [{ index: 0, message, finish_reason: finish }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    );
  }).listen(port, '127.0.0.1');
  const env = { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: 'sk-scripted' };
  return { env, requests, [Symbol.asyncDispose]: async () => void server.close() };
}

const callOf = (name: string, input: object) => ({
  tool_calls: [
    {
      id: 'call_1',
      type: 'function',
      function: { name: `calendar_${name}`, arguments: JSON.stringify(input) },
    },
  ],
});

const USER = { connectionName: 'calendar', identifier: 'user_42' };
let service: RunningService;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
});

afterAll(() => service.stop());

test('the agent example connects a calendar and replies with the result of a tool', async () => {
  const input = { summary: 'Review', start_datetime: '2026-12-01T09:00:00Z' };
  await using model = await startModel([callOf('create_event', input), { content: 'I added the review.' }]);
  const command = [process.execPath, 'agent.ts', 'Add a review'];
  await using example = startExample('agent', command, { ...service.env, ...model.env });
  const [, link = ''] = await example.printed(/Connect your calendar: (\S+)/);
  await approve(link);
  await example.printed(/I added the review\./);
  expect(await example.exited).toBe(0);
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool' });
});

test('the agent example names the missing key of the model before it connects anything', async () => {
  await using example = startExample('agent', [process.execPath, 'agent.ts'], { OPENAI_API_KEY: '' });
  await example.printed(/^OPENAI_API_KEY is not set\. Set it to .+\.\n$/);
  expect(await example.exited).toBe(1);
});

test.each([
  { reply: 'y', status: 'cancelled' },
  { reply: 'n', status: 'confirmed' },
])('the agent example requests approval before it deletes an event: $reply', async ({ reply, status }) => {
  await service.authorize(USER);
  const events = calendar(service.client, USER);
  const { data } = await events.createEvent({ summary: 'Review', start_datetime: '2026-12-01T09:00:00Z' });
  await using model = await startModel([callOf('delete_event', { event_id: data.id }), { content: 'Done.' }]);
  const command = [process.execPath, 'agent.ts', 'Delete the review'];
  await using example = startExample('agent', command, { ...service.env, ...model.env });
  await example.printed(/calendar_delete_event .*allow\? \(y\/n\)/);
  example.type(reply);
  await example.printed(/Done\./);
  expect(await example.exited).toBe(0);
  const after = await events.getEventById({ event_id: data.id, show_deleted: true });
  expect(after.data.status).toBe(status);
});

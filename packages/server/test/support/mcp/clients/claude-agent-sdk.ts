import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { query } from '@anthropic-ai/claude-agent-sdk';
import type { Client, Seen, ToolCall } from './client.ts';

const SERVER = 'svc';
const PREFIX = `mcp__${SERVER}__`;

interface Block {
  readonly type: string;
  readonly content?: unknown;
}

interface ModelRequest {
  readonly tools?: readonly { readonly name: string }[];
  readonly messages?: readonly { readonly content: string | readonly Block[] }[];
}

/** Events of a streamed model response with one content block. */
function* eventsOf(block: { readonly type: string }, delta: object, reason: string) {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-5', content: [] };
  const usage = { input_tokens: 1, output_tokens: 1 };
  yield { type: 'message_start', message: { ...message, stop_reason: null, usage } };
  yield { type: 'content_block_start', index: 0, content_block: block };
  yield { type: 'content_block_delta', index: 0, delta };
  yield { type: 'content_block_stop', index: 0 };
  yield { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage };
  yield { type: 'message_stop' };
}

/**
 * Fakes the vendor's model API: it calls the tool once, and records the tool names and the tool result that it
 * receives.
 */
function scriptedModel({ name, input }: ToolCall) {
  let seen: Seen = { names: [], result: undefined };
  const call = () =>
    eventsOf(
      { type: 'tool_use', id: 'toolu_1', name: PREFIX + name, input: {} } as { type: string },
      { type: 'input_json_delta', partial_json: JSON.stringify(input) },
      'tool_use',
    );
  const text = () =>
    eventsOf(
      { type: 'text', text: '' } as { type: string },
      { type: 'text_delta', text: 'It is done.' },
      'end_turn',
    );
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { tools = [], messages = [] } = (await json(request)) as ModelRequest;
    const names = tools.flatMap((tool) =>
      tool.name.startsWith(PREFIX) ? [tool.name.slice(PREFIX.length)] : [],
    );
    const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    const result = blocks.find(({ type }) => type === 'tool_result');
    if (names.length > 0) seen = { names, result };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of names.includes(name) && !result ? call() : text())
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  };
  return { respond, seen: () => seen };
}

export const client: Client = async (toolCall) => {
  const { url, token } = toolCall;
  const home = mkdtempSync(path.join(tmpdir(), 'svc-claude-'));
  const { respond, seen } = scriptedModel(toolCall);
  const model = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  const { port } = model.address() as AddressInfo;
  try {
    const messages = query({
      prompt: 'Look after it.',
      options: {
        cwd: home,
        // The environment has no settings of the developer, and its only API endpoint is the scripted model.
        env: {
          PATH: process.env['PATH'],
          HOME: home,
          ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
          ANTHROPIC_API_KEY: 'of-tests',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        },
        settingSources: [],
        strictMcpConfig: true,
        mcpServers: {
          [SERVER]: { type: 'http', url, headers: { Authorization: `Bearer ${token}` }, alwaysLoad: true },
        },
        allowedTools: [`mcp__${SERVER}`],
        tools: [],
        maxTurns: 3,
      },
    });
    for await (const message of messages) if (message.type === 'result') break;
    return seen();
  } finally {
    model.closeAllConnections();
    model.close();
    rmSync(home, { recursive: true, force: true });
  }
};

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ManagingClient } from '@svc/core';
import { approve } from '@svc/sandbox';
import { check, say } from './transcript.ts';

const IDENTIFIER = 'user_with_an_agent';

interface Result {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly type: string; readonly text?: string | undefined }[];
}

/**
 * Demo of an agent that replays recorded calls of a model. Its token, its user and a person who approves calls limit
 * the agent's actions.
 */
export async function demoAgent(svc: ManagingClient, url: string): Promise<void> {
  const { token } = await svc.agentToken({
    identifier: IDENTIFIER,
    connections: ['calendar'],
    tools: ['calendar_list_events', 'calendar_create_event', 'calendar_delete_event'],
    approve: 'destructive',
    expiresIn: 600,
  });
  const model = new Client({ name: 'demo', version: '1.0.0' });
  const authorization = `Bearer ${token}`;
  await model.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { authorization } } }),
  );
  const { tools } = await model.listTools();
  say(
    'MCP    tools/list',
    tools.map(({ name }) => name),
  );
  const call = async (name: string, input: Record<string, unknown>): Promise<Result> => {
    const result: Result = await model.callTool({ name, arguments: input });
    say(`MCP    ${name}`, result.isError ? textOf(result) : 'done');
    return result;
  };

  const event = { summary: 'Lunch with Grace', start_datetime: '2026-12-02T12:00:00Z' };
  const words = textOf(await call('calendar_create_event', event)).split(/\s/);
  const link = words.find((word) => word.includes('/connect/')) ?? '';
  const { status } = await approve(link, { user: 'ada' });
  check('the model received a link, and the user gave consent there', status === 200);

  const made = await call('calendar_create_event', event);
  const { id } = made.structuredContent as { readonly id: string };
  check('the same call works now', id !== '');

  const pending = await call('calendar_delete_event', { event_id: id });
  check('a deletion waits for the approval of a person', textOf(pending).startsWith('approval_required'));
  const { items } = await svc.approvals.list({ status: 'pending' });
  for (const waiting of items) {
    say('a person reads', waiting.sentence);
    await svc.approvals.decide(waiting.id, { decision: 'approve' });
  }
  const deleted = await call('calendar_delete_event', { event_id: id });
  check('the deletion ran after the approval', deleted.isError !== true);

  const refused = await call('calendar_list_calendars', {}).catch((error: unknown) => error);
  check('a tool that the token does not allow is refused', refused instanceof Error);
  await model.close();
}

const textOf = ({ content }: Result): string => content.map(({ text = '' }) => text).join('\n');

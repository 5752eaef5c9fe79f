import { calendar, createClient } from '@svc/calendar';
import type { CallOptions } from '@svc/core';
import { expect, inject, test } from 'vitest';
import type { ToolClient } from '../../src/index.js';
import type { Approve } from '../../src/run-approved.js';
import { type Common, calendarTools } from './common.js';
import { createScript, type Reply, type Script } from './script.js';
import { stranger, user } from './service.js';
import type { Framework } from './write-examples.js';

/** Frameworks that request the approval of the user themselves. For the others, the program of the example does it. */
const WITH_APPROVAL: readonly Framework[] = ['ai', 'openai-agents', 'langchain', 'mastra', 'genkit'];

/** Frameworks that pass the tool schemas to the scripted model, so that the test can check them. */
const WITH_SCHEMAS: readonly Framework[] = ['openai', 'anthropic', 'google', 'genkit'];

/** Tests the README example of a framework with a scripted model and the real service. */
export function testFramework(name: Framework, folder: string): void {
  const svc = createClient(inject('service'));
  const events = calendar(svc, user);
  const play = (replies: readonly Reply[], more: Partial<Common> = {}) =>
    playExample(name, replies, { folder, common: { agentTools: calendarTools(svc, user), ...more } });

  test('a model runs a tool and receives its data', async () => {
    const input = { summary: `By ${name}`, start_datetime: '2026-12-01T09:00:00Z' };
    const { script } = await play([{ call: 'calendar_create_event', input }, { text: 'It is there.' }]);
    const { data } = await events.listEvents({ query: `By ${name}` });
    expect(data.items).toHaveLength(1);
    expect(JSON.stringify(script.received[1])).toContain(data.items?.[0]?.id);
  });

  test.runIf(WITH_SCHEMAS.includes(name))('a model receives the input schema of a tool', async () => {
    const { script } = await play([{ text: 'Hello.' }]);
    expect(JSON.stringify(script.received[0])).toContain('guests_can_see_other_guests');
  });

  test('a model receives the authorization link if the account is not authorized', async () => {
    const agentTools = calendarTools(svc, stranger);
    const { script } = await play(
      [{ call: 'calendar_list_events', input: {} }, { text: 'Please approve.' }],
      { agentTools },
    );
    expect(JSON.stringify(script.received[1])).toContain('account_not_authorized');
    expect(JSON.stringify(script.received[1])).toContain('/connect/');
  });

  test('a model receives every broken rule', async () => {
    const input = { summary: 'Wrong', start_datetime: 'tomorrow' };
    const { script } = await play([{ call: 'calendar_create_event', input }, { text: 'I see.' }]);
    expect(JSON.stringify(script.received[1])).toContain('invalid_input');
    expect(JSON.stringify(script.received[1])).toContain('must be a date and time');
  });

  test('a model receives only the unknown fields as an error, and continues', async () => {
    const input = { summary: 'Wrong', start_datetime: '2026-12-01T09:00:00Z', colour: 'red' };
    const { script } = await play([{ call: 'calendar_create_event', input }, { text: 'I see.' }]);
    const message = JSON.stringify(script.received[1]);
    expect(message).toMatch(/is not a known field|does not match additional|NOT have additional/);
    expect(message).not.toContain('node_modules');
  });

  test('an event is not deleted without an approval', async () => {
    const { data: event } = await events.createEvent({
      summary: 'Stays',
      start_datetime: '2026-12-02T09:00:00Z',
    });
    const replies = [
      { call: 'calendar_delete_event', input: { event_id: event.id } },
      { text: 'Waiting for approval.' },
    ];
    const { script, result } = await play(replies, { approve: () => 'Not today.' });
    expect((await events.getEventById({ event_id: event.id })).data.status).toBe('confirmed');
    if (WITH_APPROVAL.includes(name))
      expect(JSON.stringify(result, circular())).toContain('calendar_delete_event');
    else expect(JSON.stringify(script.received[1])).toContain('Not today.');
  });

  test.runIf(!WITH_APPROVAL.includes(name))('an approved call runs', async () => {
    const { data: event } = await events.createEvent({
      summary: 'Goes',
      start_datetime: '2026-12-03T09:00:00Z',
    });
    const replies = [
      { call: 'calendar_delete_event', input: { event_id: event.id } },
      { text: 'It is deleted.' },
    ];
    const requests: unknown[] = [];
    const approve: Approve = ({ tool, input }) => requests.push([tool.title, input]) > 0;
    await play(replies, { approve });
    expect(requests).toEqual([['Delete an event (Google Calendar)', { event_id: event.id }]]);
    expect((await events.getEventById({ event_id: event.id, show_deleted: true })).data.status).toBe(
      'cancelled',
    );
  });

  test('a model in a dry run receives the planned requests and that nothing was done', async () => {
    const { data: event } = await events.createEvent({
      summary: 'Stays, too',
      start_datetime: '2026-12-04T09:00:00Z',
    });
    const replies = [{ call: 'calendar_delete_event', input: { event_id: event.id } }, { text: 'I see.' }];
    const { script } = await play(replies, { agentTools: calendarTools(svc, user, { dryRun: true }) });
    const message = JSON.stringify(script.received[1]);
    for (const word of ['Nothing was done', 'DELETE', event.id]) expect(message).toContain(word);
    expect((await events.getEventById({ event_id: event.id })).data.status).toBe('confirmed');
  });

  test('an abort signal aborts the running call', async () => {
    const controller = new AbortController();
    const signals: unknown[] = [];
    const client: ToolClient = {
      executeTool: (_call, options) => untilAborted(options, { controller, signals }),
    };
    const replies = [{ call: 'calendar_list_events', input: {} }, { text: 'Never sent.' }];
    const agentTools = calendarTools(client, user);
    await play(replies, { agentTools, abortSignal: controller.signal }).catch(() => undefined);
    expect(signals).toEqual(['aborted']);
  });
}

interface Playing {
  readonly folder: string;
  readonly common: Pick<Common, 'agentTools'> & Partial<Common>;
}

/** Runs the example of a framework with a scripted model. */
async function playExample(
  name: Framework,
  replies: readonly Reply[],
  { folder, common }: Playing,
): Promise<{ script: Script; result: readonly unknown[] }> {
  const script = createScript(replies);
  const { modelOptions } = await import(`../frameworks/${name}.ts`);
  const { example } = await import(`${folder}${name}.ts`);
  const rest = {
    prompt: 'Look after my calendar.',
    approve: () => true,
    abortSignal: new AbortController().signal,
  };
  return { script, result: await example({ ...(await modelOptions(script)), ...rest, ...common }) };
}

interface Aborting {
  readonly controller: AbortController;
  readonly signals: unknown[];
}

/** Simulates a call that ends only when its signal aborts, and aborts the signal immediately. */
function untilAborted(options: CallOptions | undefined, { controller, signals }: Aborting): Promise<never> {
  return new Promise((_, reject) => {
    const { signal } = options ?? {};
    if (!(signal instanceof AbortSignal)) return reject(new Error('There is no signal.'));
    signal.addEventListener('abort', () => {
      signals.push('aborted');
      reject(signal.reason);
    });
    controller.abort(new Error('The user went away.'));
  });
}

/**
 * Returns a replacer for `JSON.stringify` that leaves out repeated objects, because states of runs contain cycles.
 */
function circular() {
  const seen = new Set<unknown>();
  return (_key: string, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if (seen.has(value)) return undefined;
    seen.add(value);
    return value;
  };
}

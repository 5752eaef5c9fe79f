import { type Client, createClient } from '@svc/core';
import { describe, expect, test } from 'vitest';
import { type CreateEventInput, calendar, type Event } from '../src/index.js';
import { schemas } from '../src/schemas.js';

/** Creates the connector with a fake client, which returns these pages, and the list of its calls. */
function recorded(...pages: readonly { readonly data: object; readonly nextInput?: object }[]) {
  const calls: unknown[] = [];
  const executeTool = async (call: unknown) => {
    calls.push(call);
    return {
      ...(pages[calls.length - 1] ?? { data: {} }),
      schemaVersion: '1.0.0',
      toolVersion: '1.0.0',
      executionId: 'exec_1',
    };
  };
  // The type assertion is safe, because the connector calls only `executeTool`.
  return { calls, tools: calendar({ executeTool } as unknown as Client, { id: 'acct_1' }) };
}

const start = { summary: 'Review', start_datetime: '2026-12-01T09:00:00Z' };

describe('calendar', () => {
  test('runs a tool with the account and the versions of the package', async () => {
    const { calls, tools } = recorded();
    await tools.createEvent(start);
    expect(calls).toEqual([
      {
        toolName: 'calendar_create_event',
        connectedAccountId: 'acct_1',
        toolInput: start,
        schemaVersion: '1.0.0',
        toolVersion: '1.0.0',
      },
    ]);
  });

  test('iterates over the items of every page without an input', async () => {
    const { calls, tools } = recorded(
      { data: { items: [{ id: 'a' }] }, nextInput: { page_token: 'next' } },
      { data: { items: [{ id: 'b' }] } },
    );
    const ids: string[] = [];
    for await (const { id } of tools.listCalendars.each()) ids.push(id);
    expect(ids).toEqual(['a', 'b']);
    expect(calls).toMatchObject([{ toolInput: {} }, { toolInput: { page_token: 'next' } }]);
  });

  test('needs no input if no field is required', async () => {
    const { calls, tools } = recorded();
    await tools.listEvents();
    expect(calls).toMatchObject([{ toolName: 'calendar_list_events', toolInput: {} }]);
  });

  test('has a schema for each of its 12 tools', () => {
    expect(Object.keys(schemas)).toHaveLength(12);
    expect(schemas.calendar_create_event.inputSchema['required']).toEqual(['summary', 'start_datetime']);
  });
});

/** The function never runs. The compiler checks which calls compile. */
export async function typesAreExact(client: Client = createClient()): Promise<void> {
  const tools = calendar(client, 'acct_1');
  const { data }: { data: Event } = await tools.createEvent(
    { ...start, schema_version: '1.0.0' },
    { toolVersion: '1.0.0' },
  );
  const id: string = data.id;
  const input: CreateEventInput = { ...start, recurrence: ['RRULE:FREQ=DAILY'], timezone: 'Europe/Berlin' };
  const byName = await client.executeTool({
    toolName: 'calendar_create_event',
    connectedAccountId: id,
    toolInput: input,
  });
  const summary: string | undefined = byName.data.summary;

  // @ts-expect-error start_datetime is missing
  await tools.createEvent({ summary });
  // @ts-expect-error the field is called location
  await tools.createEvent({ ...start, place: 'Room 4' });
  // @ts-expect-error minutes are a number
  await tools.createEvent({ ...start, event_duration_minutes: '30' });
  // @ts-expect-error recurrence needs timezone
  await tools.createEvent({ ...start, recurrence: ['RRULE:FREQ=DAILY'] });
  // @ts-expect-error sync_token and min_access_role exclude each other
  await tools.listCalendars({ sync_token: 'a', min_access_role: 'owner' });
  // @ts-expect-error there is no such version
  await tools.createEvent({ ...start, schema_version: '0.9.0' });
  // @ts-expect-error there is no such version
  await tools.createEvent(start, { schemaVersion: '0.9.0' });
  // @ts-expect-error there is no such tool
  await tools.createEvents(start);
  // @ts-expect-error the result has no such field
  data.sumary;
  // @ts-expect-error there is no such tool
  await client.executeTool({ toolName: 'calendar_make_event', connectedAccountId: id, toolInput: input });
  // @ts-expect-error the input is of another tool
  await client.executeTool({ toolName: 'calendar_delete_event', connectedAccountId: id, toolInput: input });
  // @ts-expect-error the result has no such field
  byName.data.sumary;
}

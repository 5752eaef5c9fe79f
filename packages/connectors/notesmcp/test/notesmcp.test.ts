import { type Client, createClient } from '@svc/core';
import { describe, expect, test } from 'vitest';
import { type NotesAnswer, notesmcp } from '../src/index.js';
import { schemas } from '../src/schemas.js';

/** Creates the connector with a fake client, which returns no data, and the list of its calls. */
function recorded() {
  const calls: unknown[] = [];
  const executeTool = async (call: unknown) => {
    calls.push(call);
    return { data: {}, schemaVersion: '1.0.0', toolVersion: '1.0.0', executionId: 'exec_1' };
  };
  // The type assertion is safe, because the connector calls only `executeTool`.
  return { calls, tools: notesmcp({ executeTool } as unknown as Client, { id: 'acct_1' }) };
}

const MEETING = '6c1f6b7e-0d5f-4c58-9b0a-2f6d4b1f7a10';

describe('notesmcp', () => {
  test('runs a tool with the account and the versions of the package', async () => {
    const { calls, tools } = recorded();
    await tools.getMeetings({ meeting_ids: [MEETING] });
    expect(calls).toEqual([
      {
        toolName: 'notesmcp_get_meetings',
        connectedAccountId: 'acct_1',
        toolInput: { meeting_ids: [MEETING] },
        schemaVersion: '1.0.0',
        toolVersion: '1.0.0',
      },
    ]);
  });

  test('lists meetings without an input', async () => {
    const { calls, tools } = recorded();
    await tools.listMeetings();
    expect(calls).toMatchObject([{ toolName: 'notesmcp_list_meetings', toolInput: {} }]);
  });

  test('has a schema for each of its 5 tools', () => {
    expect(Object.keys(schemas)).toHaveLength(5);
    expect(schemas.notesmcp_query_meetings.inputSchema['required']).toEqual(['query']);
  });
});

// The function never runs. The compiler must report the one mistake in each call.
export function mistakes() {
  const tools = notesmcp(createClient(), 'acct_1');
  // @ts-expect-error there is no such range
  tools.listMeetings({ time_range: 'this_year' });
  // @ts-expect-error meeting_ids must be a list
  tools.getMeetings({ meeting_ids: MEETING });
  // @ts-expect-error there is no such version
  tools.getMeetingTranscript({ meeting_id: MEETING, schema_version: '9.0.0' });
  // @ts-expect-error the question is missing
  tools.queryMeetings({ document_ids: [MEETING] });
}

/** Finds citations in a result. Compiles only if `text` is a required string of the generated type `NotesAnswer`. */
export const citationsIn = ({ text }: NotesAnswer) => text.match(/\[\[\d+\]\]\([^)]+\)/g) ?? [];

import { type Client, createClient } from '@svc/core';
import { describe, expect, test } from 'vitest';
import { type ActivitiesListInput, type Activity, convintel } from '../src/index.js';
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
  return { calls, tools: convintel({ executeTool } as unknown as Client, { id: 'acct_1' }) };
}

const month = { fromDate: '2025-03-01 00:00:00', toDate: '2025-03-31 23:59:59' };

describe('convintel', () => {
  test('runs a tool with the account and the versions of the package', async () => {
    const { calls, tools } = recorded();
    await tools.organizationGet();
    expect(calls).toEqual([
      {
        toolName: 'convintel_organization_get',
        connectedAccountId: 'acct_1',
        toolInput: {},
        schemaVersion: '1.0.0',
        toolVersion: '1.0.0',
      },
    ]);
  });

  test('iterates over the activities of every numbered page', async () => {
    const { calls, tools } = recorded(
      { data: { results: [{ id: 'a' }] }, nextInput: { page: 2 } },
      { data: { results: [{ id: 'b' }] } },
    );
    const ids: string[] = [];
    for await (const { id } of tools.activitiesList.each(month)) ids.push(id);
    expect(ids).toEqual(['a', 'b']);
    expect(calls).toMatchObject([{ toolInput: month }, { toolInput: { ...month, page: 2 } }]);
  });

  test('has a schema for each of its 18 tools', () => {
    expect(Object.keys(schemas)).toHaveLength(18);
    expect(schemas.convintel_webhook_create.inputSchema['required']).toEqual(['trigger', 'url']);
  });
});

// The function never runs. The compiler must report the one mistake in each call.
export function mistakes() {
  const client = createClient();
  const tools = convintel(client, 'acct_1');
  // @ts-expect-error toDate is missing: a range has two ends
  const half: ActivitiesListInput = { fromDate: month.fromDate };
  // @ts-expect-error fromDate and updatedFrom exclude each other
  const both: ActivitiesListInput = { ...month, updatedFrom: month.fromDate };
  // @ts-expect-error updatedTo needs updatedFrom
  const end: ActivitiesListInput = { updatedTo: month.toDate };
  // @ts-expect-error there is no such status
  tools.activitiesList({ ...month, status: 'done' });
  // @ts-expect-error there is no such trigger
  tools.webhookCreate({ trigger: 'conversation_lost', url: 'https://app.example.com' });
  // @ts-expect-error toDate is needed too
  tools.listensList({ fromDate: month.fromDate });
  return [half, both, end];
}

/**
 * Returns team names. Guests have no user, and unknown participants are null, so the types require optional access.
 */
export const teamsOf = ({ participants = [] }: Activity) =>
  participants.map((participant) => participant?.user?.teamName ?? null);

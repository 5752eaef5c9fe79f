import { type Client, createClient } from '@svc/core';
import { describe, expect, test } from 'vitest';
import { type RunWithItems, scrapermcp } from '../src/index.js';
import { schemas } from '../src/schemas.js';

/** Creates the connector with a fake client, which returns no data, and the list of its calls. */
function recorded() {
  const calls: unknown[] = [];
  const executeTool = async (call: unknown) => {
    calls.push(call);
    return { data: {}, schemaVersion: '1.0.0', toolVersion: '1.0.0', executionId: 'exec_1' };
  };
  // The type assertion is safe, because the connector calls only `executeTool`.
  return { calls, tools: scrapermcp({ executeTool } as unknown as Client, { id: 'acct_1' }) };
}

const CALL = { actor: 'apify/rag-web-browser', input: { query: 'looms' } };

describe('scrapermcp', () => {
  test('runs a tool with the account and the versions of the package', async () => {
    const { calls, tools } = recorded();
    await tools.callActor(CALL);
    expect(calls).toEqual([
      {
        toolName: 'scrapermcp_call_actor',
        connectedAccountId: 'acct_1',
        toolInput: CALL,
        schemaVersion: '1.0.0',
        toolVersion: '1.0.0',
      },
    ]);
  });

  test('searches actors without an input', async () => {
    const { calls, tools } = recorded();
    await tools.searchActors();
    expect(calls).toMatchObject([{ toolName: 'scrapermcp_search_actors', toolInput: {} }]);
  });

  test('has a schema for each of its 10 tools', () => {
    expect(Object.keys(schemas)).toHaveLength(10);
    expect(schemas.scrapermcp_call_actor.inputSchema['required']).toEqual(['actor', 'input']);
  });
});

// The function never runs. The compiler must report the one mistake in each call.
export function mistakes() {
  const tools = scrapermcp(createClient(), 'acct_1');
  // @ts-expect-error input is required, also for an actor without input: {}
  tools.callActor({ actor: CALL.actor });
  // @ts-expect-error memory is a power of two
  tools.callActor({ ...CALL, callOptions: { memory: 1000 } });
  // @ts-expect-error only newer MCP servers have the input waitSecs, and the tool has none
  tools.getActorRun({ runId: 'r1', waitSecs: 0 });
  // @ts-expect-error there is no such source
  tools.searchDocs({ query: 'proxy', docSource: 'apify' });
  // @ts-expect-error there is no such output format
  tools.ragWebBrowser({ query: 'looms', outputFormats: ['pdf'] });
  // @ts-expect-error fields is a string, not a list
  tools.getActorOutput({ datasetId: 'd1', fields: ['url'] });
}

/**
 * Returns the URLs of items. Compiles only if the generated type of items allows any field, because each scraping
 * program of the upstream returns other fields.
 */
export const urlsOf = ({ items = [] }: RunWithItems) => items.map((item) => item['url']);

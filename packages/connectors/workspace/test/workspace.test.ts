import { type Client, createClient } from '@svc/core';
import { describe, expect, test } from 'vitest';
import { type Page, workspace } from '../src/index.js';
import { schemas } from '../src/schemas.js';

describe('workspace', () => {
  test('has a method and a schema for every tool', () => {
    // The fake client rejects every call, because the test calls no tool.
    const tools = workspace(
      { executeTool: () => Promise.reject(new Error('not called')) } as unknown as Client,
      'acct_1',
    );
    expect(Object.keys(tools)).toHaveLength(29);
    expect(Object.keys(schemas)).toHaveLength(29);
  });

  test('has no dangling references in its schemas', () => {
    for (const { inputSchema, outputSchema } of Object.values(schemas)) {
      for (const schema of [inputSchema, outputSchema]) {
        const names = [...JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g)].map(([, name]) => name);
        const defs = typeof schema === 'object' ? (schema['$defs'] ?? {}) : {};
        expect(Object.keys(defs)).toEqual(expect.arrayContaining(names));
      }
    }
  });
});

/** The function never runs. The compiler checks which calls compile. */
export async function typesAreExact(client: Client = createClient()): Promise<void> {
  const tools = workspace(client, 'acct_1');
  const { data }: { data: Page } = await tools.pageFetch({ page_id: 'page' });
  const edited: string | undefined = data.last_edited_time;
  for await (const row of tools.databaseQuery.each({ database_id: edited ?? '' })) {
    const isArchived: boolean | undefined = row.archived;
    await tools.pageUpdate({ page_id: row.id, archived: !isArchived });
  }
  await tools.usersList();
  await tools.blocksAppend({
    block_id: 'page',
    blocks: [{ type: 'code', text: 'a', language: 'sh' }, { type: 'divider' }],
  });
  await tools.pageCreate({ parent_page_id: 'page' });
  await tools.pageCreate({ database_id: 'database', properties: {} });

  // @ts-expect-error a page has exactly one parent, and none is given
  await tools.pageCreate({ properties: {} });
  // @ts-expect-error a page has exactly one parent, and two are given
  await tools.pageCreate({ database_id: 'database', parent_page_id: 'page', properties: {} });
  // @ts-expect-error a row needs properties
  await tools.pageCreate({ database_id: 'database' });
  const both = { property: 'Task', timestamp: 'created_time', direction: 'ascending' } as const;
  // @ts-expect-error a sort is by property or by timestamp
  await tools.databaseQuery({ database_id: 'database', sorts: [both] });
  // @ts-expect-error there is no such block
  await tools.blocksAppend({ block_id: 'page', blocks: [{ type: 'heading_9', text: 'a' }] });
  // @ts-expect-error the result has no such field
  data.titel;
}

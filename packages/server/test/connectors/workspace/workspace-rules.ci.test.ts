import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Application, signIn } from '../../support/service/application.js';
import { connectAccount, type Service, startService } from '../../support/service/service.js';
import { executeTool } from '../../support/tools/execute-tool.js';

const ID = '59833787-2cf9-4fdf-8782-e53db20768a5';

const TYPES = JSON.parse(
  readFileSync(new URL('../../../../../schemas/workspace/types.json', import.meta.url), 'utf8'),
);

let service: Service;
let application: Application;
let connectedAccountId: string;

beforeAll(async () => {
  service = await startService({ connectors: ['workspace'] });
  application = await signIn(service);
  connectedAccountId = (await connectAccount(service, 'workspace')).id;
});

afterAll(() => service.stop());

async function rulesBroken(toolName: string, toolInput: object): Promise<string[]> {
  await service.sandbox.clearRequests();
  const reply = await executeTool(application, toolName, { connectedAccountId, toolInput });
  const { error } = reply.json<{ error: { code: string; details: { errors: { rule: string }[] } } }>();
  expect(await service.sandbox.requests()).toEqual([]);
  expect([reply.status, error.code]).toEqual([400, 'invalid_input']);
  return error.details.errors.map(({ rule }) => rule);
}

describe('Page creation with both database_id and parent_page_id, or with database_id and no properties', () => {
  test.each([
    { input: { database_id: ID, parent_page_id: ID, properties: {} }, rules: ['exactlyOneOf'] },
    { input: { properties: {} }, rules: ['exactlyOneOf'] },
    { input: { database_id: ID }, rules: ['requiredWith'] },
  ])('$input', async ({ input, rules }) => {
    expect(await rulesBroken('workspace_page_create', input)).toEqual(rules);
  });
});

describe('Sort item with both property and timestamp', () => {
  test.each([
    { tool: 'workspace_database_query', id: 'database_id' },
    { tool: 'workspace_data_source_query', id: 'data_source_id' },
  ])('$tool', async ({ tool, id }) => {
    const sorts = [{ property: 'Name', timestamp: 'created_time', direction: 'ascending' }];
    expect(await rulesBroken(tool, { [id]: ID, sorts })).toContain('exactlyOneOf');
  });
});

describe('Pages sorted by created_time, which the upstream refuses', () => {
  test('get an error with the supported order and a tool that sorts by created_time', async () => {
    const toolInput = { sort_timestamp: 'created_time' };
    const reply = await executeTool(application, 'workspace_pages_search', { connectedAccountId, toolInput });
    const { error } = reply.json<{ error: { message: string } }>();
    expect(reply.status).toBe(400);
    expect(error.message).toMatch(/last_edited_time.*refuses created_time.*workspace_database_query/s);
  });
});

const richText = [{ text: { content: '😀'.repeat(1500) } }];
const LONG_TEXTS = [
  {
    tool: 'workspace_comment_create',
    where: { parent: { page_id: ID } },
    input: { comment: { rich_text: richText } },
  },
  {
    tool: 'workspace_database_create',
    where: { parent: { page_id: ID } },
    input: { title: richText, properties: {} },
  },
  {
    tool: 'workspace_page_create',
    where: { parent_page_id: ID },
    input: { properties: { title: { title: richText } } },
  },
];

describe('1,500 emoji in one item of rich text, which are 3,000 for the upstream', () => {
  test.each(LONG_TEXTS)(
    'are an input error of $tool that names the limit',
    async ({ tool, where, input }) => {
      const toolInput = { ...where, ...input };
      const reply = await executeTool(application, tool, { connectedAccountId, toolInput });
      const { error } = reply.json<{ error: { message: string; details: { reason: string } } }>();
      expect([reply.status, error.details.reason]).toEqual([422, 'input_rejected']);
      expect(error.message).toMatch(/content\.length should be ≤ `2000`, instead was `3000`/);
    },
  );
});

test('the schema of rich text says that most emoji count as two characters', () => {
  const { RichTextInput } = TYPES.$defs;
  expect(RichTextInput.properties.text.properties.content.description).toMatch(
    /2000 UTF-16 code units.+several items/,
  );
});

const toggle = (children: readonly object[]) => ({ type: 'toggle', toggle: { rich_text: [], children } });
const divider = { type: 'divider', divider: {} };
const NESTED = [
  { title: 'three levels', block: toggle([toggle([toggle([divider])])]), rule: 'nesting' },
  { title: '101 blocks in one block', block: toggle(Array(101).fill(divider)), rule: 'maxItems' },
];
const CREATING = [
  { tool: 'workspace_page_create', parent: { parent_page_id: ID } },
  { tool: 'workspace_database_insert_row', parent: { database_id: ID, properties: {} } },
  { tool: 'workspace_data_source_insert_row', parent: { data_source_id: ID, properties: {} } },
];

describe('Child blocks that no request accepts', () => {
  test.each(CREATING.flatMap((creating) => NESTED.map((nested) => ({ ...creating, ...nested }))))(
    '$tool refuses $title',
    async ({ tool, parent, block, rule }) => {
      expect(await rulesBroken(tool, { ...parent, child_blocks: [divider, block] })).toEqual([rule]);
    },
  );
});

describe('File upload without, or with unusable content', () => {
  const file = { filename: 'a.txt', content_type: 'text/plain' };
  test.each([
    { title: 'no content', input: {}, rule: 'exactlyOneOf' },
    { title: 'two contents', input: { text: 'a', base64: 'YQ==' }, rule: 'exactlyOneOf' },
    { title: 'invalid Base64', input: { base64: 'a-_b' }, rule: 'pattern' },
    { title: 'truncated Base64', input: { base64: 'YWJjZ' }, rule: 'pattern' },
    { title: 'more than 4 MB of UTF-8', input: { text: 'é'.repeat(2_100_000) }, rule: 'maxLength' },
  ])('$title', async ({ input, rule }) => {
    expect(await rulesBroken('workspace_file_upload', { ...file, ...input })).toEqual([rule]);
  });
});

describe('Markdown for a new page and a known one', () => {
  test.each([
    { input: { page_id: ID }, rules: ['requiredWith'] },
    { input: { parent_page_id: ID, mode: 'append' }, rules: ['requiredWith'] },
    { input: { page_id: ID, mode: 'replace', title: 'New' }, rules: ['requiredWith'] },
    { input: { page_id: ID, parent_page_id: ID, mode: 'append' }, rules: ['exactlyOneOf'] },
  ])('$input', async ({ input, rules }) => {
    expect(await rulesBroken('workspace_page_write_markdown', { markdown: 'Text', ...input })).toEqual(rules);
  });
});

const PAGED = [
  { tool: 'workspace_database_query', input: { database_id: ID }, fallback: 10 },
  { tool: 'workspace_data_source_query', input: { data_source_id: ID }, fallback: 100 },
  { tool: 'workspace_comments_list', input: { block_id: ID }, fallback: 100 },
  { tool: 'workspace_content_search', input: {}, fallback: 100 },
  { tool: 'workspace_pages_search', input: {}, fallback: 100 },
  { tool: 'workspace_block_children_list', input: { block_id: ID }, fallback: 100 },
  { tool: 'workspace_users_list', input: {}, fallback: 100 },
];

describe('Workspace list, query, search, comments, child blocks and users: page_size 1-100', () => {
  test.each(PAGED)(
    '$tool refuses a value below the minimum and above the maximum',
    async ({ tool, input }) => {
      expect(await rulesBroken(tool, { ...input, page_size: 0 })).toEqual(['minimum']);
      expect(await rulesBroken(tool, { ...input, page_size: 101 })).toEqual(['maximum']);
    },
  );

  test.each(PAGED)('$tool sends the default $fallback', async ({ tool, input, fallback }) => {
    await service.sandbox.clearRequests();
    await executeTool(application, tool, { connectedAccountId, toolInput: input });
    const [request] = await service.sandbox.requests();
    const body: unknown = request?.body;
    const sent = { ...request?.query, ...(typeof body === 'object' ? body : {}) };
    expect(Number(sent.page_size)).toBe(fallback);
  });
});

test('scopes for a connection without scopes are refused with the advice to omit them', async () => {
  const path = '/v1/connections/workspace/accounts/grace/authorization-link';
  const reply = await application.call('POST', path, { body: { requestedScopes: ['read'] } });
  expect(reply.json()).toMatchObject({
    error: {
      code: 'invalid_request',
      message: expect.stringMatching(
        /: read\. .+ or omit `requestedScopes`, because the connection has no scopes\.$/,
      ),
    },
  });
});

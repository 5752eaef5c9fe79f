import { type JsonSchema, loadCatalog } from '@svc/catalog';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { createDescribeTool } from './wire-tool.js';
import { withAccounts } from './with-accounts.js';

const catalog = loadCatalog({ now: () => new Date('2026-11-20T12:00:00Z') });
const describeTool = createDescribeTool(catalog);
const tools = [...catalog.tools.values()].map((tool) => ({
  name: tool.name,
  tool,
  described: describeTool(tool),
}));

// JSON Schema validator that many MCP clients use for the results of tools.
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const problemsOf = (schema: JsonSchema | undefined, value: unknown) => {
  const validate = ajv.compile(schema ?? false);
  return validate(value) ? [] : validate.errors;
};

describe.each(tools)('$name', ({ tool, described: { short, whole, isWrapped } }) => {
  const current = catalog.selectVersion(tool).schema_version;
  const examples = tool.examples.filter(({ version = current }) => version === current);

  test('has input schemas that accept the examples of the tool', () => {
    for (const { input: given } of examples) {
      // Removes the version inputs from the example, because MCP clients see only the current version of a tool.
      const { schema_version: _, tool_version: __, ...input } = given;
      expect(problemsOf(short.inputSchema, input)).toEqual([]);
      expect(problemsOf(whole.inputSchema, input)).toEqual([]);
    }
  });

  test('has output schemas of objects that accept the example data of the tool', () => {
    expect([short.outputSchema?.type, whole.outputSchema?.type]).toEqual(['object', 'object']);
    for (const { data } of examples.filter(({ data }) => data !== undefined)) {
      const given = isWrapped ? { result: data } : data;
      expect(problemsOf(short.outputSchema, given)).toEqual([]);
      expect(problemsOf(whole.outputSchema, given)).toEqual([]);
    }
  });

  test('has a name that MCP hosts accept after a server prefix', () => {
    expect(short.name).toMatch(/^\w{1,40}$/);
  });
});

test('a long input schema is shortened to 4000 characters with a reference to the rest', () => {
  const cut = tools.filter(({ described }) => !described.isWhole).map(({ name }) => name);
  expect(cut).toContain('workspace_page_create');
  expect(cut.every((name) => name.startsWith('workspace_'))).toBe(true);
  for (const { described } of tools) {
    expect(JSON.stringify(described.short.inputSchema).length).toBeLessThanOrEqual(4000);
    if (!described.isWhole)
      expect(described.short.description).toMatch(/describe_tool returns the whole input\.$/);
  }
});

describe('the input that selects an account', () => {
  const [connectionName, other] = ['calendar', 'other'];
  const tool = { name: 't', title: 'T', description: 'D', inputSchema: { type: 'object' }, annotations: {} };
  const plain = { name: 'calendar', connectionName, account: '', isConnected: true };
  const work = { ...plain, name: 'work', account: 'work', connectedAs: 'ada@work.example' };
  const apart = { name: 'other', connectionName: other, isConnected: true };

  test.each([
    { title: 'no account', accounts: [], expected: undefined },
    { title: 'one account', accounts: [work], expected: undefined },
    {
      title: 'an account with and one without a label',
      accounts: [plain, work],
      expected: { description: "The user's account to use. Default: calendar. work is ada@work.example." },
      required: [],
    },
    {
      title: 'two accounts with a label',
      accounts: [work, { ...work, name: 'home', account: 'home', connectedAs: undefined }],
      expected: {
        enum: ['work', 'home'],
        description: "The user's account to use. work is ada@work.example.",
      },
      required: ['account'],
    },
    {
      title: 'accounts of two connections',
      accounts: [plain, apart],
      expected: { enum: ['calendar', 'other'], description: "The user's account to use." },
      required: ['account'],
    },
    {
      title: 'one connected account of two',
      accounts: [plain, { ...apart, isConnected: false }],
      expected: {
        enum: ['calendar', 'other'],
        description: "The user's account to use. Default: calendar.",
      },
      required: [],
    },
    {
      title: 'no account and two connections',
      accounts: [
        { ...plain, isConnected: false },
        { ...apart, isConnected: false },
      ],
      expected: {
        description: expect.stringMatching(/^The account to use\. .+ returns a link to connect it\.$/),
      },
      required: ['account'],
    },
  ])('of a user with $title', ({ accounts, expected, required }) => {
    const { inputSchema } = withAccounts(tool, { accountInput: 'account', accounts });
    if (expected) expect(inputSchema.properties?.['account']).toMatchObject(expected);
    else expect(inputSchema).toEqual(tool.inputSchema);
    expect(inputSchema.required).toEqual(required);
  });
});

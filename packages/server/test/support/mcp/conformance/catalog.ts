type Json = Readonly<Record<string, unknown>>;

interface TestConnector {
  /** Path of the MCP endpoint on the suite's test server. */
  readonly path: string;
  readonly auth: Json;
  /** Names of the arguments of each MCP tool. */
  readonly tools: Readonly<Record<string, readonly string[]>>;
}

const inject = { header: 'Authorization', value: 'Bearer {credential}' };
const withToken = { type: 'bearer_token', inject };

const MIRRORED = ['region', 'priority', 'verbose', 'debug', 'empty_val', 'method_val', 'float_val'];
const ENCODED = ['non_ascii', 'whitespace', 'leading_space', 'trailing_space', 'internal_space'];
const CONTROLS = ['control_char', 'crlf', 'tab'];

/**
 * Tools of the suite's servers with invalid `x-mcp-header` parameters, which a client must not call. The values are
 * their argument names.
 */
export const INVALID_TOOLS: Readonly<Record<string, readonly string[]>> = {
  invalid_empty_header: ['value'],
  invalid_object_header: ['data'],
  invalid_array_header: ['items'],
  invalid_null_header: ['nil'],
  invalid_duplicate_same_case: ['field1', 'field2'],
  invalid_duplicate_diff_case: ['field1', 'field2'],
  invalid_space_in_name: ['value'],
  invalid_colon_in_name: ['value'],
  invalid_non_ascii_name: ['value'],
  invalid_control_char_name: ['value'],
};

const CONNECTORS: Readonly<Record<string, TestConnector>> = {
  guarded: { path: '/mcp', auth: { type: 'mcp_oauth', inject }, tools: { 'test-tool': [] } },
  open: {
    path: '/mcp',
    auth: withToken,
    tools: {
      add_numbers: ['a', 'b'],
      lookup_user: ['id'],
      test_mrtr_echo_state: [],
      test_mrtr_no_state: [],
      test_mrtr_unrelated: [],
      test_mrtr_no_result_type: [],
    },
  },
  root: {
    path: '/',
    auth: withToken,
    tools: {
      any: [],
      test_reconnection: [],
      test_headers: [],
      test_custom_headers: [...MIRRORED, ...[...ENCODED, ...CONTROLS].map((name) => `${name}_val`), 'query'],
      test_custom_headers_null: ['region', 'priority', 'verbose', 'query'],
      valid_tool: ['region'],
      ...INVALID_TOOLS,
    },
  },
};

/** Returns the catalogue's name for a tool of the suite's servers. */
export const toolNameOf = (connector: string, tool: string): string =>
  `${connector}_${tool.replaceAll('-', '_')}`;

const anything = { type: ['string', 'number', 'boolean', 'null'] };

function toolFile(connector: string, tool: string, names: readonly string[]): Json {
  return {
    name: toolNameOf(connector, tool),
    title: tool,
    description: `Calls ${tool} of a server of the conformance suite.`,
    hints: { readOnly: true, destructive: false, idempotent: true },
    versions: [
      {
        schema_version: '1.0.0',
        tool_version: '1.0.0',
        status: 'current',
        input: {
          type: 'object',
          additionalProperties: false,
          properties: Object.fromEntries(names.map((name) => [name, { ...anything, description: name }])),
        },
        output: { type: 'object', additionalProperties: true, properties: {} },
        mcp: { tool, arguments: Object.fromEntries(names.map((name) => [name, `{${name}}`])) },
      },
    ],
    examples: [
      {
        title: tool,
        input: {},
        requests: [{ method: 'MCP', path: tool, body: { arguments: {} } }],
        replies: [{ content: [] }],
        data: { text: '', content: [] },
      },
    ],
  };
}

function connectorFile(id: string, { path, auth }: TestConnector): Json {
  const title = `Server of the conformance suite (${id})`;
  return {
    id,
    title,
    description: title,
    api: 'MCP',
    baseUrl: 'https://mcp.example.com',
    mcp: { path },
    auth,
  };
}

/** Catalogue files of all tools of the suite's servers, by file path. */
export const conformanceCatalog = (): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(CONNECTORS).flatMap(([id, connector]) => [
      [`${id}/connector.json`, connectorFile(id, connector)],
      ...Object.entries(connector.tools).map(([tool, names]) => [
        `${id}/tools/${toolNameOf(id, tool)}.json`,
        toolFile(id, tool, names),
      ]),
    ]),
  );

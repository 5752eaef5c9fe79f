import type { FastifySchema } from 'fastify';
import type { DocumentedRoute } from '../listener/describe-operation.js';
import { closed, named } from '../listener/list-schema.js';

const text = { type: 'string' };
const open = { type: 'object', additionalProperties: true };
const message = (title: string, properties: Readonly<Record<string, object>>, example: object) =>
  named(
    title,
    {
      type: 'object',
      additionalProperties: true,
      required: ['jsonrpc'],
      properties: {
        jsonrpc: { ...text, enum: ['2.0'] },
        id: { type: ['string', 'integer', 'null'] },
        ...properties,
      },
    },
    { id: 1, ...example },
  );

const schema: FastifySchema = {
  tags: ['mcp'],
  summary: 'Send a message to the MCP server',
  description:
    'JSON-RPC messages of the Model Context Protocol, such as tools/list and tools/call. Agents use an MCP client instead of this operation.',
  errors: ['not_found', 'connector_not_found', 'method_not_allowed'],
  body: message(
    'McpRequest',
    { method: { ...text, description: 'MCP method, such as tools/list.' }, params: open },
    { method: 'tools/list' },
  ),
  response: {
    200: message('McpResponse', { result: open, error: open }, { result: { tools: [] } }),
  },
};

/** OpenAPI description of the MCP endpoints, which no Fastify route describes. */
export const mcpOperations: readonly DocumentedRoute[] = [
  { method: 'POST', url: '/mcp', schema: { operationId: 'sendMcpMessage', ...schema } },
  {
    method: 'POST',
    url: '/mcp/:connector',
    schema: {
      ...schema,
      operationId: 'sendConnectorMcpMessage',
      summary: 'Send a message to the MCP server of one connector',
      params: closed({
        connector: {
          ...text,
          description:
            'Id of the connector. The MCP server at this path has only the tools of this connector.',
        },
      }),
    },
  },
];

import type { FastifyInstance, RouteOptions } from 'fastify';
import { IDEMPOTENCY_HEADERS } from '../front/idempotency-keys.js';
import type { Serve, ServeIdentified } from '../front/serve-api-request.js';
import { closed, named } from '../listener/list-schema.js';

const text = { type: 'string' };
const versions = { schemaVersion: text, toolVersion: text };

const result = named(
  'ToolResult',
  closed(
    {
      data: { description: "Output that matches the tool's output schema." },
      nextInput: {
        description:
          'Fields of `toolInput` that request the next page: call the tool again with these fields added or replaced. Absent on the last page and for tools without pages.',
        type: 'object',
        additionalProperties: true,
      },
      ...versions,
      executionId: text,
    },
    ['data', 'schemaVersion', 'toolVersion', 'executionId'],
  ),
  { data: { events: [] }, executionId: 'exec_0193f2a8c4d17b3e9a5c6d7e8f901234' },
);

const plannedRequest = named(
  'PlannedRequest',
  closed(
    {
      method: text,
      host: text,
      path: text,
      query: { type: 'object', additionalProperties: true },
      headers: {
        type: 'object',
        additionalProperties: text,
        description: 'Headers of the request, without credentials.',
      },
      body: {
        description: 'JSON body of the request; for an MCP server, the MCP method and its parameters.',
      },
      isSent: {
        type: 'boolean',
        description:
          'True if the dry run sent this read request, because later requests depend on its response.',
      },
    },
    ['method', 'host', 'path', 'isSent'],
  ),
  { method: 'GET', host: 'api.example.com', path: '/v3/contacts' },
);

const dryRunResult = named(
  'DryRunResult',
  closed({
    dryRun: closed(
      {
        requests: {
          type: 'array',
          items: plannedRequest,
          description: 'Requests that the call would send, in order.',
        },
        isComplete: { type: 'boolean', description: 'True if `requests` is complete.' },
        unknown: {
          type: 'array',
          items: { ...text, examples: ['The id of the created event is unknown.'] },
          description:
            'Parts of the requests that the dry run could not determine, with the reasons, one sentence each.',
        },
        refusal: closed(
          { code: text, message: text, details: { type: 'object', additionalProperties: true } },
          ['code', 'message'],
        ),
      },
      ['requests', 'isComplete', 'unknown'],
    ),
    ...versions,
  }),
);

const version = { type: 'string', minLength: 1, maxLength: 64 };

const EXAMPLE = {
  connectionName: 'crm',
  identifier: 'ada',
  toolInput: { query: 'Lovelace' },
};

const body = named(
  'ToolCall',
  {
    type: 'object',
    additionalProperties: false,
    required: ['toolInput'],
    properties: {
      connectedAccountId: {
        description: 'Id of the account. Alternatively, send `connectionName` and `identifier`.',
        type: 'string',
        minLength: 1,
        maxLength: 128,
      },
      connectionName: { type: 'string', minLength: 1, maxLength: 64 },
      identifier: {
        description:
          'Identifier of the user. If the user has no account, the call fails with `account_not_authorized`; creating an authorization link creates the account.',
        type: 'string',
        minLength: 1,
        maxLength: 256,
      },
      account: {
        description:
          'Label of the account, if the user has several accounts on the connection. Default: the account without a label.',
        type: 'string',
        maxLength: 64,
        examples: ['work'],
      },
      toolInput: {
        description: "Input that matches the tool's input schema.",
        type: 'object',
        additionalProperties: true,
      },
      schemaVersion: version,
      toolVersion: version,
      dryRun: {
        description:
          'True to return the requests that the call would send, and to change nothing. A dry run does not accept an `Idempotency-Key`.',
        type: 'boolean',
      },
    },
  },
  EXAMPLE,
);

/** Schemas with which the tool operation validates its path parameters and query. */
export const TOOL_REQUEST = {
  params: {
    type: 'object',
    additionalProperties: false,
    required: ['toolName'],
    properties: { toolName: { type: 'string', maxLength: 128, description: 'Name of the tool.' } },
  },
  querystring: closed({}),
  body,
};

const documented: Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config' | 'validatorCompiler'> = {
  method: 'POST',
  url: '/tools/:toolName/execute',
  schema: {
    tags: ['tools'],
    operationId: 'executeTool',
    summary: 'Execute a tool as a connected account',
    description:
      'With `dryRun`, the response lists the requests that the call would send, and nothing is changed. If the upstream rejects the call with a 4xx status, this operation responds with 422 if the input is wrong, otherwise with 424. `details` contains the status and body of the upstream.',
    errors: [
      'tool_not_found',
      'connection_not_found',
      'account_not_found',
      'account_not_authorized',
      'connection_not_configured',
      'invalid_input',
      'unknown_version',
      'approval_required',
      'approval_denied',
      'forbidden',
      'not_found',
      'conflict',
      'idempotency_mismatch',
      'input_rejected',
      'call_rejected',
      'upstream_failed',
      'connection_failed',
      'upstream_timeout',
    ],
    headers: IDEMPOTENCY_HEADERS,
    ...TOOL_REQUEST,
    response: {
      200: { anyOf: [result, dryRunResult] },
    },
  },
  config: { isDelegated: true, takesNarrowed: true },
  // Fastify's validation is turned off, because the tool operation reads and validates its request itself.
  validatorCompiler: () => () => true,
};

/** Makes Fastify leave request bodies unread, because the tool operation reads the raw request itself. */
function leaveBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/**
 * Adds the tool operation to the OpenAPI document. The route also serves requests with an unusual spelling of the URL;
 * all other tool calls bypass Fastify. The operation reads the request bodies itself.
 */
export function addToolRoute(app: FastifyInstance, { executeTool }: { readonly executeTool: Serve }): void {
  app.register(async (scope) => {
    leaveBodies(scope);
    scope.route({
      ...documented,
      handler: (request, reply) => {
        reply.hijack();
        executeTool(request.raw, reply.raw);
      },
    });
  });
}

const headersOf = (headers: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/**
 * Adds the tool operation for operators, who run a tool on behalf of an application. A hook of `app` must authenticate
 * operators.
 */
export function addOperatedToolRoute(
  app: FastifyInstance,
  { executeTool }: { readonly executeTool: ServeIdentified },
): void {
  app.register(async (scope) => {
    leaveBodies(scope);
    scope.route({
      ...documented,
      handler: ({ raw, id: requestId, applicationId }, reply) => {
        reply.hijack();
        executeTool(raw, reply.raw, { requestId, applicationId, headers: headersOf(reply.getHeaders()) });
      },
    });
  });
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { closeAll, listen } from '../../test/support/upstreams/start-proxy.js';
import { createBodyMemory } from '../concurrency/body-memory.js';
import { asServiceError } from '../errors.js';
import { openApiRequest } from '../front/api-request.js';
import { createRequestChecks } from '../listener/find-request-check.js';
import { TOOL_REQUEST } from '../routes/tool-routes.js';
import { createExecuteEndpoint, type ExecuteEndpointParts } from './execute-endpoint.js';
import type { ExecuteRequest } from './execute-request.js';

afterEach(closeAll);

const requestChecks = createRequestChecks({});
const checks = {
  params: requestChecks.find(TOOL_REQUEST.params, 'params'),
  querystring: requestChecks.find(TOOL_REQUEST.querystring, 'querystring'),
  body: requestChecks.find(TOOL_REQUEST.body, 'body'),
};
await requestChecks.load();

/** Creates the HTTP handler of tool calls for the application app_1. `seen` collects the executed requests. */
function createTestCall(seen: ExecuteRequest[] = [], given: Partial<ExecuteEndpointParts> = {}) {
  return createExecuteEndpoint({
    catalog: { tools: new Map() },
    checks,
    memory: createBodyMemory(1024),
    expectUpload: () => undefined,
    idempotencyKeys: {
      begin: async () => undefined,
      beginRun: () => expect.unreachable('No call has a key.'),
    },
    tokenUses: {
      checkName: () => undefined,
      checkAccount: () => undefined,
      checkAndCount: async () => undefined,
      checkCall: () => ({ needsApproval: false, count: async () => undefined }),
    },
    limitAccount: () => undefined,
    charge: () => undefined,
    dryRun: async (request) => {
      seen.push(request);
      const dryRun = { requests: [], isComplete: true, unknown: [] };
      return { dryRun, schemaVersion: '1.0.0', toolVersion: '1.0.1' };
    },
    execute: async (request) => {
      seen.push(request);
      return {
        data: { any: [1, null] },
        schemaVersion: '1.0.0',
        toolVersion: '1.0.1',
        executionId: 'exec_1',
      };
    },
    recordRefused: () => undefined,
    ...given,
  });
}

async function startCalls(seen: ExecuteRequest[]) {
  const { work: executeTool } = createTestCall(seen);
  const origin = await listen(
    createServer((request: IncomingMessage, response: ServerResponse) => {
      const apiRequest = openApiRequest({ id: 'req_1', request, response, headers: {} });
      apiRequest.applicationId = 'app_1';
      executeTool(apiRequest).catch((error: unknown) => {
        response.statusCode = asServiceError(error).status;
        response.end();
      });
    }),
  );
  return (body: object) =>
    fetch(`http://127.0.0.1:${origin}/v1/tools/sample_get/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
}

test('a tool call runs for the application of the token', async () => {
  const seen: ExecuteRequest[] = [];
  const execute = await startCalls(seen);
  const reply = await execute({
    connectedAccountId: 'acct_1',
    toolInput: { deep: { any: true } },
    schemaVersion: '1.0.0',
  });
  expect(await reply.json()).toEqual({
    data: { any: [1, null] },
    schemaVersion: '1.0.0',
    toolVersion: '1.0.1',
    executionId: 'exec_1',
  });
  expect(seen).toMatchObject([
    {
      applicationId: 'app_1',
      toolName: 'sample_get',
      connectedAccountId: 'acct_1',
      toolInput: { deep: { any: true } },
      schemaVersion: '1.0.0',
    },
  ]);
});

test.each([
  { title: 'no input', body: { connectedAccountId: 'acct_1' } },
  { title: 'an input that is not an object', body: { connectedAccountId: 'acct_1', toolInput: [] } },
  {
    title: 'an unknown field',
    body: { connectedAccountId: 'acct_1', toolInput: {}, applicationId: 'app_2' },
  },
  {
    title: 'a version that is not a string',
    body: { connectedAccountId: 'acct_1', toolInput: {}, toolVersion: 1 },
  },
])('a tool call with $title is refused', async ({ body }) => {
  const seen: ExecuteRequest[] = [];
  const execute = await startCalls(seen);
  expect((await execute(body)).status).toBe(400);
  expect(seen).toEqual([]);
});

test('a tool call ends when its caller disconnects before the body is read', async () => {
  const { work: executeTool } = createTestCall([], {
    execute: () => expect.unreachable('Its input never came.'),
    dryRun: () => expect.unreachable('Its input never came.'),
  });
  const ended = Promise.withResolvers<unknown>();
  const server = createServer(async (request, response) => {
    const apiRequest = openApiRequest({ id: 'req_1', request, response, headers: {} });
    request.on('error', () => undefined);
    await once(response, 'close');
    executeTool(apiRequest).then(ended.resolve, ended.reject);
  });
  const socket = connect(await listen(server), '127.0.0.1');
  socket.write(
    'POST /v1/tools/mail_send/execute HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"a":',
  );
  await once(server, 'request');
  socket.destroy();
  await expect(ended.promise).rejects.toMatchObject({ code: 'invalid_request' });
});

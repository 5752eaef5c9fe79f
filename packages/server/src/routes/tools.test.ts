import fastify from 'fastify';
import { expect, test } from 'vitest';
import { createAnswerMemory } from '../listener/answer-memory.js';
import type { ExecuteRequest } from '../tools/execute.js';
import { toolRoutes } from './tools.js';

const seen: ExecuteRequest[] = [];
const app = fastify({ ajv: { customOptions: { removeAdditional: false, coerceTypes: false } } });
app.decorateRequest('applicationId', 'app_1');
await app.register(
  toolRoutes({
    catalog: { tools: new Map() },
    memory: createAnswerMemory(1024),
    expectUpload: () => undefined,
    tokenUses: {
      checkName: () => undefined,
      checkAccount: () => undefined,
      take: async () => undefined,
      checkCall: () => ({ mustAsk: false, count: async () => undefined }),
    },
    limitAccount: () => undefined,
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
  }),
  { prefix: '/v1' },
);
const execute = (payload: object) =>
  app.inject({ method: 'POST', url: '/v1/tools/sample_get/execute', payload });

test('executes a tool for the application of the token', async () => {
  const reply = await execute({
    connectedAccountId: 'acct_1',
    toolInput: { deep: { any: true } },
    schemaVersion: '1.0.0',
  });
  expect(reply.json()).toEqual({
    data: { any: [1, null] },
    schemaVersion: '1.0.0',
    toolVersion: '1.0.1',
    executionId: 'exec_1',
  });
  expect(seen.splice(0)).toMatchObject([
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
  { title: 'an input that is no object', body: { connectedAccountId: 'acct_1', toolInput: [] } },
  {
    title: 'an unknown field',
    body: { connectedAccountId: 'acct_1', toolInput: {}, applicationId: 'app_2' },
  },
  {
    title: 'a version that is no string',
    body: { connectedAccountId: 'acct_1', toolInput: {}, toolVersion: 1 },
  },
])('refuses $title', async ({ body }) => {
  expect((await execute(body)).statusCode).toBe(400);
  expect(seen).toEqual([]);
});

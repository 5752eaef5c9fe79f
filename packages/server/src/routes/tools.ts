import type { IncomingMessage } from 'node:http';
import type { Catalog } from '@svc/catalog';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { type InputRoom, openInputRoom } from '../front/input-room.js';
import { parseJsonBody } from '../front/parse-json-body.js';
import { readBody } from '../front/read-body.js';
import type { AnswerMemory } from '../listener/answer-memory.js';
import { mostBytesOf } from '../listener/body-limits.js';
import { presentedBy, type TokenUses } from '../tokens/token-uses.js';
import type { RunDry } from '../tools/dry-run.js';
import type { Execute } from '../tools/execute.js';
import { checksOf } from '../tools/token-checks.js';
import { TOOL_BODY, type ToolBody } from '../tools/tool.js';
import { callerSignal, whenClosed } from './caller-signal.js';
import { closed } from './list-schema.js';
import type { LimitRate } from './rate-limits.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** For a body that is larger than others may be. */
    inputRoom: InputRoom | undefined;
  }
}

export interface ToolParts {
  readonly catalog: Pick<Catalog, 'tools'>;
  readonly memory: AnswerMemory;
  /** Told of a request whose body may take long. */
  readonly expectUpload: (request: IncomingMessage) => void;
  readonly execute: Execute;
  readonly tokenUses: TokenUses;
  readonly dryRun: RunDry;
  readonly limitAccount: LimitRate;
}

const text = { type: 'string' };
const versions = { schemaVersion: text, toolVersion: text };

const result = closed(
  {
    data: { description: "By the tool's output schema." },
    nextInput: {
      description:
        'The inputs by which the next page is asked for, in place of those of this call; absent after the last page, and where there are none.',
      type: 'object',
      additionalProperties: true,
    },
    ...versions,
    executionId: text,
  },
  ['data', 'schemaVersion', 'toolVersion', 'executionId'],
);

const plannedRequest = closed(
  {
    method: text,
    host: text,
    path: text,
    query: { type: 'object', additionalProperties: true },
    headers: { type: 'object', additionalProperties: text, description: 'Without credentials.' },
    body: { description: 'What JSON is sent; for an MCP server the method and its parameters.' },
    isSent: {
      type: 'boolean',
      description: 'It reads, and was sent now, because what follows depends on its answer.',
    },
  },
  ['method', 'host', 'path', 'isSent'],
);

const dryRunResult = closed({
  dryRun: closed(
    {
      requests: { type: 'array', items: plannedRequest, description: 'What would be sent, in this order.' },
      isComplete: { type: 'boolean', description: 'Whether those are all.' },
      unknown: { type: 'array', items: text, description: 'What is not known, and why: a sentence each.' },
      refusal: closed(
        { code: text, message: text, details: { type: 'object', additionalProperties: true } },
        ['code', 'message'],
      ),
    },
    ['requests', 'isComplete', 'unknown'],
  ),
  ...versions,
});

const schema = {
  tags: ['tools'],
  summary: 'Execute a tool as a connected account, or with dryRun tell what that would send',
  params: {
    type: 'object',
    additionalProperties: false,
    required: ['toolName'],
    properties: { toolName: { type: 'string', maxLength: 128 } },
  },
  body: TOOL_BODY,
  response: {
    200: { anyOf: [result, dryRunResult] },
  },
};

interface ToolParams {
  readonly toolName: string;
}

/** Makes the body of a call as large as the tool in its path takes. What is more than others may have counts as held. */
function addToolBody(app: FastifyInstance, { catalog: { tools }, memory, expectUpload }: ToolParts): void {
  app.decorateRequest('inputRoom', undefined);
  app.addHook('preParsing', async (request, reply) => {
    const { applicationId, raw } = request;
    request.inputRoom = openInputRoom(memory, {
      applicationId,
      expectUpload: () => expectUpload(raw),
      whenClosed: whenClosed(reply),
    });
  });
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', async ({ raw, params, inputRoom }: FastifyRequest) => {
    const tool = tools.get((params as ToolParams).toolName);
    const bounds = { mostBytes: mostBytesOf(tool), toolName: tool?.name, take: inputRoom?.take };
    const bytes = await readBody(raw, bounds);
    return bytes.length === 0 ? undefined : parseJsonBody(bytes);
  });
}

/** Execution of tools. Requests must be authenticated by a hook of `app`. */
export const toolRoutes =
  (parts: ToolParts): FastifyPluginAsync =>
  async (app) => {
    const { execute, dryRun, tokenUses, limitAccount } = parts;
    addToolBody(app, parts);
    app.post<{ Params: ToolParams; Body: ToolBody }>(
      '/tools/:toolName/execute',
      { schema, config: { keyedBy: 'body', takesNarrowed: true } },
      (request, reply) => {
        const { applicationId, bearer, id: requestId, params } = request;
        const { dryRun: isDry = false, ...body } = request.body;
        const shown = bearer && presentedBy(bearer, '/v1');
        const checks = shown && checksOf(tokenUses, shown, body);
        const onAccount = (account: { readonly id: string }) => limitAccount(request, reply, account.id);
        const signal = callerSignal(reply);
        const whenSent = whenClosed(reply);
        const run = isDry ? dryRun : execute;
        const running = run({
          ...{ applicationId, requestId, signal, onAccount, whenSent },
          ...{ ...checks, ...params, ...body },
        });
        request.inputRoom?.keepDuring(running);
        return running;
      },
    );
  };

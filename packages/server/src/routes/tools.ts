import type { FastifyPluginAsync } from 'fastify';
import { checksOf } from '../hot/token-checks.js';
import { TOOL_BODY, type ToolBody } from '../hot/tool.js';
import { shownBy, type TokenUses } from '../tenants/token-uses.js';
import type { RunDry } from '../tools/dry-run.js';
import type { Execute } from '../tools/execute.js';
import { callerSignal, whenClosed } from './caller-signal.js';
import { closed } from './list-schema.js';
import type { LimitRate } from './rate-limits.js';

export interface ToolParts {
  readonly execute: Execute;
  readonly tokenUses: TokenUses;
  readonly dryRun: RunDry;
  readonly limitAccount: LimitRate;
}

const text = { type: 'string' };
const versions = { schemaVersion: text, toolVersion: text };

const result = closed({
  data: { description: "By the tool's output schema." },
  ...versions,
  executionId: text,
});

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

/** Execution of tools. Requests must be authenticated by a hook of `app`. */
export const toolRoutes =
  ({ execute, dryRun, tokenUses, limitAccount }: ToolParts): FastifyPluginAsync =>
  async (app) => {
    app.post<{ Params: { toolName: string }; Body: ToolBody }>(
      '/tools/:toolName/execute',
      { schema, config: { keyedBy: 'body', takesNarrowed: true } },
      (request, reply) => {
        const { applicationId, bearer, id: requestId, params } = request;
        const { dryRun: isDry = false, ...body } = request.body;
        const shown = bearer && shownBy(bearer, '/v1');
        const checks = shown && checksOf(tokenUses, shown, body);
        const onAccount = (account: { readonly id: string }) => limitAccount(request, reply, account.id);
        const signal = callerSignal(reply);
        const whenSent = whenClosed(reply);
        const run = isDry ? dryRun : execute;
        return run({ applicationId, requestId, signal, onAccount, whenSent, ...checks, ...params, ...body });
      },
    );
  };

import type { FastifyPluginAsync } from 'fastify';
import { checksOf } from '../hot/token-checks.js';
import { TOOL_BODY, type ToolBody } from '../hot/tool.js';
import { shownBy, type TokenUses } from '../tenants/token-uses.js';
import type { Execute } from '../tools/execute.js';
import { callerSignal, whenClosed } from './caller-signal.js';
import type { LimitRate } from './rate-limits.js';

export interface ToolParts {
  readonly execute: Execute;
  readonly tokenUses: TokenUses;
  readonly limitAccount: LimitRate;
}

const schema = {
  tags: ['tools'],
  summary: 'Execute a tool as a connected account',
  params: {
    type: 'object',
    additionalProperties: false,
    required: ['toolName'],
    properties: { toolName: { type: 'string', maxLength: 128 } },
  },
  body: TOOL_BODY,
  response: {
    200: {
      type: 'object',
      additionalProperties: false,
      required: ['data', 'schemaVersion', 'toolVersion', 'executionId'],
      properties: {
        data: { description: "By the tool's output schema." },
        schemaVersion: { type: 'string' },
        toolVersion: { type: 'string' },
        executionId: { type: 'string' },
      },
    },
  },
};

/** Execution of tools. Requests must be authenticated by a hook of `app`. */
export const toolRoutes =
  ({ execute, tokenUses, limitAccount }: ToolParts): FastifyPluginAsync =>
  async (app) => {
    app.post<{ Params: { toolName: string }; Body: ToolBody }>(
      '/tools/:toolName/execute',
      { schema, config: { keyedBy: 'body', takesNarrowed: true } },
      (request, reply) => {
        const { applicationId, bearer, id: requestId, params, body } = request;
        const shown = bearer && shownBy(bearer, '/v1');
        const checks = shown && checksOf(tokenUses, shown, body);
        const onAccount = (account: { readonly id: string }) => limitAccount(request, reply, account.id);
        const signal = callerSignal(reply);
        const whenSent = whenClosed(reply);
        return execute({
          applicationId,
          requestId,
          signal,
          onAccount,
          whenSent,
          ...checks,
          ...params,
          ...body,
        });
      },
    );
  };

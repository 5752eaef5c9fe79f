import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.js';
import type { ApiRequest } from '../front/api-request.js';
import type { LimitCalls } from '../front/limit-calls.js';
import { createFindConnections } from '../mcp/accessible-connections.js';
import { createCallTool } from '../mcp/call-tool.js';
import { createCheckScope } from '../mcp/challenges.js';
import { createDescribeFailure } from '../mcp/describe-failure.js';
import { createDispatchCall } from '../mcp/dispatch-call.js';
import { createJobs } from '../mcp/jobs.js';
import { createLibrary } from '../mcp/library.js';
import { createMcpEndpoint } from '../mcp/mcp-endpoint.js';
import { createFindToolset } from '../mcp/toolset.js';
import { createDescribeTool } from '../mcp/wire-tool.js';
import type { Calls } from './calls.js';
import type { Service } from './service.js';

interface McpParts {
  readonly calls: Calls;
  readonly config: Config;
  readonly version: string;
  readonly limitAccount: LimitCalls;
  /**
   * Reports that the service is about to read a large request body, whose upload may take longer than the usual request
   * timeout. Implemented by listener/client-sockets.ts.
   */
  readonly expectUpload: (request: ApiRequest['request']) => void;
}

/** Creates the MCP endpoint, through which MCP clients use the tools. */
export function createMcp(
  { idempotency, log, parts, rateLimits }: Service,
  { calls, config, version, limitAccount, expectUpload }: McpParts,
) {
  const { core, catalog, now } = parts;
  const { accountList, connectionNames, links, tokenUses } = core;
  const { dryRun, execute, memory, recordRefused } = calls;
  const { environmentUrl } = config;
  const info = { name: 'svc-server', version };
  const describeTool = createDescribeTool(catalog);
  const jobs = createJobs({
    idempotency,
    random: randomBytes,
    onFault: (error) =>
      log.fault(
        'the result of a long call could not be stored, so the agent cannot read it; check the database',
        error,
      ),
    waitMs: config.agentWait * 1000,
  });
  const callTool = createCallTool({
    catalog,
    execute,
    dryRun,
    tokenUses,
    limitAccount,
    describeTool,
    jobs,
    describeFailure: createDescribeFailure({ links, log }),
    recordRefused,
  });
  const dispatchCall = createDispatchCall({ callTool, describeTool, jobs, recordRefused });
  const findToolset = createFindToolset({
    catalog,
    connectionNames,
    findConnections: createFindConnections({ accountList, now }),
    describeTool,
    environmentUrl,
    now,
  });
  return createMcpEndpoint({
    findToolset,
    checkScope: createCheckScope({ catalog, environmentUrl, now }),
    dispatchCall,
    serveByLibrary: createLibrary({ info, dispatchCall, connectors: catalog.connectors }),
    info,
    memory,
    charge: rateLimits.application.charge,
    recordRefused,
    expectUpload,
  });
}

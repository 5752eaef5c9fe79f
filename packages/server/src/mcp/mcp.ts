import type { Catalog } from '@svc/catalog';
import type { Idempotency } from '../applications/idempotency.js';
import type { AuthorizationLinks } from '../authorization/authorization-links.js';
import type { Accounts } from '../connections/accounts.js';
import type { ConnectionNames } from '../connections/connection-names.js';
import type { Call } from '../front/call.js';
import type { LimitCalls } from '../front/limit-calls.js';
import type { Challenge, Work } from '../front/serve-call.js';
import type { AnswerMemory } from '../listener/answer-memory.js';
import type { Log } from '../log/log.js';
import { AGENT_SCOPES } from '../names/agent-scopes.js';
import type { Random } from '../random.js';
import type { TokenUses } from '../tokens/token-uses.js';
import type { RunDry } from '../tools/dry-run.js';
import type { Execute } from '../tools/execute.js';
import { createCallTool } from './call-tool.js';
import { createEndpoint } from './endpoint.js';
import { createToFailure } from './failure.js';
import { createJobs } from './jobs.js';
import { createLibrary } from './library.js';
import { createFindReach } from './reach.js';
import { createServeCall } from './serve-call.js';
import { createCheckScope } from './step-up.js';
import { createFindSurface } from './surface.js';
import { createDescribeTool } from './wire-tool.js';

export interface McpParts {
  readonly catalog: Catalog;
  readonly connectionNames: Pick<ConnectionNames, 'held' | 'read'>;
  readonly accounts: Pick<Accounts, 'getById'>;
  readonly links: Pick<AuthorizationLinks, 'create'>;
  readonly execute: Execute;
  readonly dryRun: RunDry;
  readonly memory: AnswerMemory;
  readonly expectUpload: (request: Call['request']) => void;
  readonly tokenUses: TokenUses;
  readonly limitAccount: LimitCalls;
  readonly idempotency: Pick<Idempotency, 'begin' | 'find'>;
  readonly log: Pick<Log, 'fault'>;
  /** Of the service, without a slash at the end. */
  readonly environmentUrl: string;
  readonly version: string;
  readonly now: () => number;
  readonly random: Random;
  /** A call of a long-running tool is waited for no longer. */
  readonly waitMs: number;
}

const AT_THE_DOOR = /^\/mcp(?:\/apps\/[^/?]{1,768})?(?:\/\w{1,64})?(?=\?|$)/;
const OF_APPLICATION = '/mcp/apps/';

/** Tells a client that came without a token for this door where to read what opens it (RFC 9728). */
export const createChallenge =
  (environmentUrl: string): Challenge =>
  ({ url = '', headers }) => {
    const [path = '/mcp'] = AT_THE_DOOR.exec(url) ?? [];
    const refused = headers.authorization === undefined ? '' : 'error="invalid_token", ';
    // Where its users sign in for clients, they agree to scopes.
    const scope = path.startsWith(OF_APPLICATION) ? `, scope="${AGENT_SCOPES.join(' ')}"` : '';
    return `Bearer ${refused}resource_metadata="${environmentUrl}/.well-known/oauth-protected-resource${path}"${scope}`;
  };

/** The tools for agents, over MCP. */
export function createMcp(parts: McpParts): Work {
  const { catalog, log, version } = parts;
  const info = { name: 'svc-server', version };
  const describeTool = createDescribeTool(catalog);
  const jobs = createJobs({
    ...parts,
    onFault: (error) => log.fault('the result of a job was not kept', error),
  });
  const callTool = createCallTool({ ...parts, describeTool, jobs, toFailure: createToFailure(parts) });
  const serveCall = createServeCall({ catalog, callTool, describeTool, jobs });
  const titleOf = (connector: string) => catalog.connectors.get(connector)?.title ?? connector;
  return createEndpoint({
    findSurface: createFindSurface({ ...parts, describeTool, findReach: createFindReach(parts) }),
    checkScope: createCheckScope(parts),
    serveCall,
    serveByLibrary: createLibrary({ info, serveCall, titleOf }),
    info,
    memory: parts.memory,
    expectUpload: parts.expectUpload,
  });
}

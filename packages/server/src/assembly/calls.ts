import { randomBytes } from 'node:crypto';
import { createBodyMemory } from '../concurrency/body-memory.js';
import type { Config } from '../config/config.js';
import { createSend } from '../http/send-http.js';
import { createMcpSessions } from '../mcp-client/mcp-sessions.js';
import { createOpenMcp } from '../mcp-client/open-mcp.js';
import { createNoteToolList } from '../mcp-client/tool-list-changes.js';
import type { CallMetrics } from '../metrics/call-metrics.js';
import type { ExecutionLog } from '../records/execution-log.js';
import { createFollowCalls } from '../subscriptions/follow-calls.js';
import { pooled } from '../text/random.js';
import { createDeriveIdempotencyKey } from '../tools/derive-idempotency-key.js';
import { createDryRun } from '../tools/dry-run.js';
import { createExecute } from '../tools/execute.js';
import { createFindObject } from '../tools/find-object.js';
import { handlers } from '../tools/handlers/all-handlers.js';
import { createRecordRefused } from '../tools/record-refused.js';
import { createRetryWithBackoff } from '../tools/retry-with-backoff.js';
import { createRunTool } from '../tools/run-tool.js';
import { createSendRequest } from '../tools/send-request.js';
import { sleep } from '../tools/sleep.js';
import { createUpstreamAccess } from '../tools/upstream-access.js';
import { type BeginExecutionOptions, createBeginExecution } from '../upstream/begin-execution.js';
import { createBreaker } from '../upstream/breaker.js';
import { createDownloadSigned } from '../upstream/download-signed.js';
import { createForward } from '../upstream/forward.js';
import { createLimiter } from '../upstream/limiter.js';
import { createPlanRequest } from '../upstream/plan-request.js';
import { createReadLink } from '../upstream/read-link.js';
import { createRetryBudget } from '../upstream/retry.js';
import { createShowPath } from '../upstream/show-path.js';
import type { Approvals } from './approvals.js';
import type { Parts } from './parts.js';
import { refuseApprovals } from './watches.js';

const MIB = 1024 * 1024;

interface CallsParts {
  readonly config: Config;
  readonly version: string;
  readonly executionLog: Pick<ExecutionLog, 'record'>;
  readonly approvals: Pick<Approvals, 'runWithApproval'>;
  /** Counters of proxied requests and tool calls. Absent if metrics are off. */
  readonly metrics: CallMetrics | undefined;
}

type UpstreamParts = Pick<CallsParts, 'config' | 'executionLog' | 'metrics' | 'version'>;

const newNow = () => new Date();

/**
 * Creates `forward`, which sends all requests to upstreams and enforces limits, and `beginExecution`, which records
 * executions.
 */
function createUpstream(
  { agent, core, catalog, isAllowedOrigin }: Parts,
  { config, executionLog, metrics, version }: UpstreamParts,
  randomId: () => string,
) {
  const { connectors } = catalog;
  const send = createSend(agent);
  const limiter = createLimiter({ slots: config.concurrency, waiting: 2 * config.concurrency });
  const breaker = createBreaker({ now: () => performance.now() });
  const record: BeginExecutionOptions['record'] = (execution, account, { isMainCredentialSent }) => {
    executionLog.record(execution);
    if (account === undefined) return;
    if (isMainCredentialSent) core.noteSuccess(execution, account);
    metrics?.countExecution(execution, account.connector);
  };
  return {
    forward: createForward({
      connectors,
      credentials: core.credentials,
      send,
      limiter,
      breaker,
      onAttempt: metrics?.countAttempt,
    }),
    beginExecution: createBeginExecution({
      record,
      connectors,
      showPath: createShowPath(catalog),
      now: newNow,
      randomId,
      version,
    }),
    downloadSigned: createDownloadSigned(send, limiter),
    links: createReadLink({ send, isAllowedOrigin, mostBytes: config.maxUpload * MIB }),
    limiter,
    breaker,
  };
}

/**
 * Creates the function that gives a tool access to its upstream: it sends requests with retries, and uses MCP sessions.
 */
function createAccess(
  { core, digest }: Parts,
  {
    forward,
    downloadSigned,
    links,
  }: Pick<ReturnType<typeof createUpstream>, 'forward' | 'downloadSigned' | 'links'>,
  version: string,
) {
  const { commit, credentials, demandScopes, handleChallenge } = core;
  const retry = createRetryWithBackoff({ budget: createRetryBudget(newNow), random: Math.random, sleep });
  return createUpstreamAccess({
    sendRequest: createSendRequest({ forward, retry, demandScopes, now: newNow }),
    openMcp: createOpenMcp(
      createMcpSessions({ forward, credentials, handleChallenge, version, now: newNow }),
      createNoteToolList({ commit }),
    ),
    retry,
    downloadSigned,
    links,
    deriveIdempotencyKey: createDeriveIdempotencyKey(digest),
  });
}

/**
 * Creates the components that both proxied requests and tool calls use: upstream requests, execution records and memory
 * limits.
 */
export function createCalls(parts: Parts, { approvals, config, executionLog, metrics, version }: CallsParts) {
  const { core, catalog, digest, now: clock, storage } = parts;
  const { commit, resolve } = core;
  const random = pooled(randomBytes);
  const randomId = () => random(16).toString('hex');
  const memory = createBodyMemory(config.responseMemory * MIB);
  const upstream = createUpstream(parts, { config, executionLog, metrics, version }, randomId);
  const { forward, beginExecution, limiter, breaker } = upstream;
  const accessUpstream = createAccess(parts, upstream, version);
  const runTool = createRunTool({ catalog, handlers, now: newNow, randomId, sleep });
  const execution = {
    catalog,
    resolve,
    beginExecution,
    memory,
    accessUpstream,
    runTool,
    findObject: createFindObject({ catalog, memory, accessUpstream, runTool }),
    followCall: createFollowCalls({
      catalog,
      storage,
      commit,
      digest,
      environmentUrl: config.environmentUrl,
      now: clock,
      random: randomBytes,
    }),
  };
  return {
    forward,
    beginExecution,
    recordRefused: createRecordRefused(beginExecution),
    execute: createExecute({ ...execution, runWithApproval: approvals.runWithApproval }),
    /** Runs the tool calls of watches. If a call needs an approval, it throws `conflict`. */
    executeWatched: createExecute({ ...execution, runWithApproval: refuseApprovals }),
    dryRun: createDryRun({
      catalog,
      resolve,
      memory,
      planRequest: createPlanRequest(catalog),
      accessUpstream,
      runTool,
    }),
    memory,
    limiter,
    breaker,
    limits: { maxBytes: config.maxUpload * MIB },
  };
}

export type Calls = ReturnType<typeof createCalls>;

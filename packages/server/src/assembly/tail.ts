import { randomBytes } from 'node:crypto';
import type { Approvals } from '../approvals/approvals.js';
import type { Config } from '../config/config.js';
import { asksBefore } from '../connections/approval-policy.js';
import { createSend } from '../http/send-http.js';
import { createAnswerMemory } from '../listener/answer-memory.js';
import { createMcp } from '../mcp-client/mcp.js';
import { pooled } from '../random.js';
import type { ExecutionLog } from '../records/execution-log.js';
import { createDryRun } from '../tools/dry-run.js';
import { createExecute } from '../tools/execute.js';
import { handlers } from '../tools/handlers/index.js';
import { sleep } from '../tools/sleep.js';
import { createBeginExecution } from '../upstream/begin-execution.js';
import { createBreaker } from '../upstream/breaker.js';
import { createForward } from '../upstream/forward.js';
import { createLimiter } from '../upstream/limiter.js';
import { createPlanRequest } from '../upstream/plan-request.js';
import { createRetryBudget } from '../upstream/retry.js';
import type { Parts } from './parts.js';

const MIB = 1024 * 1024;

export interface TailParts extends Parts {
  readonly config: Config;
  readonly version: string;
  readonly executionLog: ExecutionLog;
  readonly approvals: Approvals;
}

/** The way that proxied requests and tools share. */
export function createTail({
  config,
  version,
  catalog,
  authorization,
  agent,
  executionLog,
  approvals,
}: TailParts) {
  const { resolve, credentials, hearChallenge } = authorization;
  const date = () => new Date();
  const random = pooled(randomBytes);
  const randomId = () => random(16).toString('hex');
  const memory = createAnswerMemory(config.answerMemory * MIB);
  const forward = createForward({
    connectors: catalog.connectors,
    credentials,
    send: createSend(agent),
    limiter: createLimiter({ slots: config.concurrency, waiting: 2 * config.concurrency }),
    breaker: createBreaker({ now: () => performance.now() }),
  });
  const beginExecution = createBeginExecution({ record: executionLog.record, now: date, randomId });
  const parts = {
    catalog,
    resolve,
    handlers,
    forward,
    openMcp: createMcp({ forward, credentials, hearChallenge, version, now: date }),
    memory,
    budget: createRetryBudget(date),
    now: date,
    random: Math.random,
    randomId,
    sleep,
  };
  const limits = { maxBytes: config.maxUpload * MIB };
  return {
    resolve,
    forward,
    beginExecution,
    execute: createExecute({ ...parts, beginExecution, askFirst: approvals.askFirst }),
    dryRun: createDryRun({
      ...parts,
      asksBefore: ({ approve }, tool) => asksBefore(approve, tool),
      planRequest: createPlanRequest(catalog),
    }),
    memory,
    limits,
  };
}

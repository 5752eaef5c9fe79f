import type { Tool } from '@svc/catalog';
import { type Approvals, createApprovals } from '../../../src/assembly/approvals.js';
import type { Account } from '../../../src/connections/account.js';
import type { ApprovalPolicy } from '../../../src/connections/approval-policy.js';
import type { ReadyCall, ToolResult } from '../../../src/tools/execute.js';
import { newTrace } from '../../../src/upstream/trace.js';
import { createTenant } from './create-tenant.js';

export const ALWAYS: ApprovalPolicy = { default: 'always', tools: {} };

const HINTS = { readOnly: false, destructive: true, idempotent: false, longRunning: false };
const VERSION = {
  schema_version: '1.0.0',
  tool_version: '1.0.0',
  status: 'current',
  input: {},
  output: true,
};

export const SEND: Tool = {
  name: 'mail_send',
  connector: 'mail',
  title: 'Send a message',
  description: 'Sends a message.',
  hints: HINTS,
  scopes: [],
  versionInputs: false,
  phrases: [],
  additional: false,
  versions: [],
  examples: [],
};

export interface CallOptions {
  readonly input?: Readonly<Record<string, unknown>>;
  readonly identifier?: string;
  readonly approve?: ApprovalPolicy | undefined;
  readonly needsApproval?: boolean;
  readonly tool?: Tool;
  /** True for a tool whose handler code may send several upstream requests. Default: false. */
  readonly isHandled?: boolean;
  /** Runs the tool call upstream. Default: it succeeds. */
  readonly run?: (ready: ReadyCall) => Promise<unknown>;
  /**
   * Approvals component that handles the call, such as that of a second process. Default: that of the first process.
   */
  readonly approvals?: Approvals;
  /** Actor that makes the call. */
  readonly actor?: string;
}

interface Ready extends Pick<CallOptions, 'input' | 'needsApproval' | 'tool' | 'approve' | 'isHandled'> {
  readonly account: Pick<Account, 'id' | 'connectionName' | 'identifier'>;
  readonly applicationId: string;
  readonly executionId?: string;
}

/** Builds a tool call of the account in the form that tool execution passes to approvals. */
export function readyCall({ account, applicationId, executionId = 'exec_1', ...options }: Ready): ReadyCall {
  const { tool = SEND, input = { to: 'bob' }, needsApproval = false, approve, isHandled } = options;
  const { id, connectionName, identifier } = account;
  return {
    tool,
    input,
    needsApproval,
    // The cast is safe, because approvals read only these fields of a tool version.
    version: { ...VERSION, ...(!isHandled && { request: {} }) } as unknown as ReadyCall['version'],
    account: {
      id,
      connectionName,
      identifier,
      ...(approve && { approve }),
      applicationId,
      connectionId: 'conn_1',
      connector: 'mail',
      baseUrl: 'https://mail.example.com',
      hosts: {},
    },
    execution: { id: executionId, trace: newTrace() },
  };
}

/**
 * Creates a tenant with a connection `mail` over a real database. Tool calls send nothing: each one that would run is
 * added to `ran`.
 */
export async function createApproving() {
  const tenant = await createTenant();
  const { applicationId, clock, commit, digest, now, random, storage, vault } = tenant;
  let actor = applicationId;
  let executions = 0;
  const ran: unknown[] = [];
  const caller = () => ({ actor, applicationId: null, requestId: 'req_1', address: null });
  /** Creates an approvals component on the same database, as a second or a restarted process does. */
  const start = () =>
    createApprovals({
      storage,
      commit,
      vault,
      digest,
      now,
      random,
      caller,
      connectors: new Map([['mail', { title: 'Mail' }]]),
      environmentUrl: 'https://connect.example.com',
    });
  const first = start();

  async function ready(options: CallOptions): Promise<ReadyCall> {
    const name = { connectionName: 'mail', identifier: options.identifier ?? 'ada' };
    const { account } = await tenant.accounts.getOrCreate(applicationId, name);
    executions += 1;
    const approve = 'approve' in options ? options.approve : ALWAYS;
    return readyCall({ ...options, approve, account, applicationId, executionId: `exec_${executions}` });
  }

  async function call(options: CallOptions = {}): Promise<ToolResult> {
    const { approvals = first, run } = options;
    const own = await ready(options);
    return approvals.runWithApproval(own, async () => {
      own.execution.trace.attempts += 1;
      ran.push(own.input);
      const data = run ? await run(own) : 'sent';
      return { data, schemaVersion: '1.0.0', toolVersion: '1.0.0', executionId: own.execution.id };
    });
  }

  /** Runs `work` with another actor as the current caller. */
  async function as<T>(other: string, work: () => Promise<T>): Promise<T> {
    const before = actor;
    actor = other;
    try {
      return await work();
    } finally {
      actor = before;
    }
  }

  /** Calls the tool, and returns the ID of the approval that the call waits for. */
  async function request(options: CallOptions = {}): Promise<string> {
    const error = await call(options).catch((thrown: unknown) => thrown);
    const { details } = error as { details?: { id?: string } };
    if (details?.id === undefined) throw error;
    return details.id;
  }

  const decide = (id: string, decision: 'approve' | 'deny', reason?: string) =>
    first.callApprovals.decide(applicationId, id, { decision, reason });

  return { ...tenant, ...first, clock, start, call, request, as, decide, ran };
}

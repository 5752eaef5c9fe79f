import {
  type Catalog,
  type Connector,
  type JsonObject,
  nextInput,
  type ResolvedCall,
  type Tool,
} from '@svc/catalog';
import type { BodyMemory } from '../concurrency/body-memory.js';
import type { Resolve } from '../connections/resolve.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { asServiceError, failureReason, ServiceError } from '../errors.js';
import type { BeginExecution, RunningExecution } from '../upstream/begin-execution.js';
import { addToRequests } from './add-to-requests.js';
import type { ExecuteRequest } from './execute-request.js';
import type { FindObject, ObjectOfCall } from './find-object.js';
import { reserveResponseMemory } from './reserve-response-memory.js';
import { checkToolCall, findCallerAccount, findTool } from './resolve-tool-call.js';
import type { RunTool } from './run-tool.js';
import type { AccessUpstream } from './upstream-access.js';

/** Tool call with a validated input and a permitted account, just before the tool runs. */
export interface ReadyCall extends ResolvedCall {
  readonly tool: Tool;
  readonly account: ResolvedAccount;
  readonly execution: Pick<RunningExecution, 'id' | 'trace'>;
  /** True if the caller's token requires a person's approval of the tool call, even if the connection does not. */
  readonly needsApproval: boolean;
  /** Lookup of the existing object whose id the tool input contains. Absent if the tool declares no lookup. */
  readonly object?: ObjectOfCall | undefined;
}

export interface ToolResult {
  readonly data: unknown;
  /** Tool input for the next page of results. Absent after the last page, and for tools without pagination. */
  readonly nextInput?: JsonObject | undefined;
  readonly schemaVersion: string;
  readonly toolVersion: string;
  readonly executionId: string;
}

/**
 * Runs a tool call at once if it needs no person's approval. Otherwise requests the approval, and throws
 * approval_required until a person has decided. The caller repeats the call, which runs once after an approval, and
 * throws approval_denied after a refusal. Implemented by approvals/run-with-approval.ts, and for the polls of watches
 * by assembly/watches.ts.
 */
export type RunWithApproval = (call: ReadyCall, run: () => Promise<ToolResult>) => Promise<ToolResult>;

/**
 * Tool call with an observer, such as the component that stores webhook subscriptions. The observer may change `input`.
 * The service calls `succeed` or `fail` when the tool has ended.
 */
export interface FollowedCall {
  readonly input: JsonObject;
  readonly succeed: (data: unknown) => Promise<void>;
  readonly fail: (error: unknown) => Promise<void>;
}

/**
 * Called before each tool runs. Returns `undefined` if no observer follows this tool call. Implemented by
 * subscriptions/follow-calls.ts.
 */
export type FollowCall = (call: ReadyCall) => FollowedCall | Promise<FollowedCall> | undefined;

interface ExecuteParts {
  readonly catalog: Catalog;
  readonly resolve: Resolve;
  readonly beginExecution: BeginExecution;
  readonly runWithApproval: RunWithApproval;
  readonly memory: BodyMemory;
  readonly accessUpstream: AccessUpstream;
  readonly runTool: RunTool;
  readonly followCall: FollowCall;
  readonly findObject: FindObject;
}

interface RunContext {
  readonly request: ExecuteRequest;
  readonly connector: Connector;
  readonly onStatus: (status: number) => void;
}

/**
 * Runs a tool call and records its outcome in the execution log. `run` must report the status of each upstream response
 * by `onStatus`.
 */
async function recordEnd(
  execution: RunningExecution,
  run: (onStatus: RunContext['onStatus']) => Promise<ToolResult>,
): Promise<ToolResult> {
  let upstreamStatus: number | null = null;
  try {
    const result = await run((status) => {
      upstreamStatus = status;
    });
    execution.finish({ status: 200, upstreamStatus });
    return result;
  } catch (error) {
    execution.fail(asServiceError(error), upstreamStatus);
    throw error;
  }
}

/**
 * Creates the error of a tool call that succeeded at the upstream, but whose success the service could not record. It
 * contains the result, and not the message of `cause`, because that message may advise the caller to retry.
 */
const notRecorded = (cause: unknown, data: unknown): ServiceError =>
  new ServiceError(
    'internal_error',
    'The call succeeded at the upstream, but the service could not record this. Do not repeat the call. `details.progress.data` contains its result.',
    { reason: failureReason(cause), repeatable: false, progress: { data } },
    { cause },
  );

/**
 * Returns a text that is equal for all attempts and repetitions of a tool call. A call without an idempotency key has
 * no repetitions.
 */
function callKeyOf(
  { idempotencyKey, toolInput, schemaVersion, toolVersion }: ExecuteRequest,
  { id }: ReadyCall['execution'],
): string {
  if (idempotencyKey === undefined) return id;
  return JSON.stringify([idempotencyKey, toolInput, schemaVersion, toolVersion]);
}

export function createExecute(parts: ExecuteParts) {
  const {
    accessUpstream,
    runWithApproval,
    beginExecution,
    catalog,
    findObject,
    followCall,
    memory,
    resolve,
  } = parts;
  const { runTool } = parts;

  /**
   * Runs a tool call. If `followCall` returns an observer of the call, the observer may change the input, and receives
   * the result or the error.
   */
  async function run(call: ReadyCall, context: RunContext): Promise<ToolResult> {
    const following = followCall(call);
    if (following === undefined) return runUpstream(call, context);
    const { input, succeed, fail } = await following;
    const result = await runUpstream({ ...call, input }, context).catch(async (error: unknown) => {
      await fail(error);
      throw error;
    });
    await succeed(result.data).catch((error: unknown) => {
      // A repeated call of an idempotent tool does no harm, and records the success.
      throw call.tool.hints.idempotent ? error : notRecorded(error, result.data);
    });
    return result;
  }

  async function runUpstream(
    call: ReadyCall,
    { request, connector, onStatus }: RunContext,
  ): Promise<ToolResult> {
    const { account, execution, tool, version } = call;
    const { applicationId, signal, whenSent } = request;
    const reservation = { applicationId, isReadOnly: tool.hints.readOnly, whenSent };
    const data = await reserveResponseMemory(memory, reservation, (holding) => {
      const { trace } = execution;
      const callKey = () => callKeyOf(request, execution);
      const upstream = accessUpstream({
        tool,
        account,
        connector,
        signal,
        onStatus,
        trace,
        holding,
        callKey,
      });
      const { added } = request;
      if (added === undefined) return runTool(tool, call, upstream);
      return runTool(tool, call, { ...upstream, exchange: addToRequests(upstream.exchange, added) });
    });
    return {
      data,
      nextInput: nextInput(version.paging, data),
      schemaVersion: version.schema_version,
      toolVersion: version.tool_version,
      executionId: execution.id,
    };
  }

  /** Executes a tool with the credential of a connected account. */
  async function execute(request: ExecuteRequest): Promise<ToolResult> {
    const execution = beginExecution('tool', request);
    return recordEnd(execution, async (onStatus) => {
      const tool = findTool(catalog, request.toolName);
      const account = await findCallerAccount(resolve, request, tool);
      execution.setAccount(account);
      const { connector, version, input, allowed } = checkToolCall(catalog, request, { tool, account });
      const call = {
        tool,
        version,
        input,
        account,
        execution,
        needsApproval: allowed?.needsApproval ?? false,
        object: findObject({ tool, version, input, account, connector, request }),
      };
      const runCall = async () => {
        await allowed?.count();
        return run(call, { request, connector, onStatus });
      };
      return request.isOfService ? runCall() : runWithApproval(call, runCall);
    });
  }

  return execute;
}

export type Execute = ReturnType<typeof createExecute>;

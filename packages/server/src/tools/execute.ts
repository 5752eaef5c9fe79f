import {
  bindArguments,
  type Catalog,
  type Connector,
  dataOf,
  type JsonObject,
  mcpData,
  nextInput,
  type ResolvedCall,
  type Tool,
  UnknownVersionError,
} from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { AnswerMemory, MemoryShare } from '../listener/answer-memory.js';
import { toOwnError } from '../listener/error-reply.js';
import type { OpenMcp } from '../mcp-client/mcp.js';
import type { BeginExecution, RunningExecution } from '../upstream/begin-execution.js';
import {
  type AccountReference,
  type Cancellation,
  type CheckAccount,
  LONG_RUNNING_MS,
  type Resolve,
  type ResolvedAccount,
} from '../upstream/forward.js';
import type { Trace } from '../upstream/trace.js';
import type { AskFirst } from './ask-first.js';
import { checkTools, type HandlerTable } from './check-tools.js';
import { findCallerAccount } from './find-caller-account.js';
import type { HandlerContext, Mcp } from './handler.js';
import { holdAnswers } from './hold-answers.js';
import { createRepeat, type RepeatParts } from './repeat.js';
import { runRequests, toServiceError } from './run-requests.js';
import { createExchange, type Exchange, type SendParts, toSend } from './send.js';
import { createToolMcp } from './tool-mcp.js';

export interface ExecuteRequest extends AccountReference {
  readonly applicationId: string;
  readonly toolName: string;
  readonly toolInput: unknown;
  readonly schemaVersion?: string | undefined;
  readonly toolVersion?: string | undefined;
  readonly requestId: string;
  /** Asked about an account that was found, before anything of it is told; throws where the caller may not use it. */
  readonly checkAccount?: CheckAccount | undefined;
  /** Asked about a call whose input has been checked, just before it runs; throws where the caller may not make it. */
  readonly checkCall?: ((call: CheckedCall) => AllowedCall) | undefined;
  /** Told of the account before anything runs; may throw. */
  readonly onAccount?: ((account: ResolvedAccount) => void) | undefined;
  /** When nothing of the result is needed any more; absent: when the tool has ended. */
  readonly whenSent?: Promise<unknown> | undefined;
  /** Aborted when the caller goes away. */
  readonly signal?: Cancellation | undefined;
}

export interface CheckedCall {
  readonly account: ResolvedAccount;
  /** With its defaults filled in. */
  readonly tool: Pick<Tool, 'name' | 'hints'> & { readonly input: unknown };
}

export interface AllowedCall {
  /** Whether a person has to agree first. */
  readonly mustAsk: boolean;
  /** Called when it runs; throws where the caller has no call left. */
  readonly count: () => Promise<void>;
}

export interface ToolResult {
  readonly data: unknown;
  /** What a call for the next page has in place of this one's; undefined after the last, and where there are no pages. */
  readonly nextInput?: JsonObject | undefined;
  readonly schemaVersion: string;
  readonly toolVersion: string;
  readonly executionId: string;
}

interface WayParts extends SendParts, RepeatParts {
  readonly openMcp: OpenMcp;
}

interface RunParts extends Omit<HandlerContext, 'mcp' | 'sleep'> {
  readonly catalog: Pick<Catalog, 'plainInputSchemaOf'>;
  readonly handlers: HandlerTable;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface ExecuteParts extends WayParts, Omit<RunParts, 'sleep'> {
  readonly catalog: Catalog;
  readonly resolve: Resolve;
  readonly beginExecution: BeginExecution;
  readonly memory: AnswerMemory;
  readonly askFirst: AskFirst;
}

const DEADLINE_MS = 120_000;

export type Execute = (request: ExecuteRequest) => Promise<ToolResult>;

export function findTool({ tools }: Catalog, name: string): Tool {
  const tool = tools.get(name);
  if (tool) return tool;
  throw new ServiceError(
    'tool_not_found',
    `There is no tool "${name}". GET /v1/tools lists those that exist.`,
  );
}

export function connectorOf({ connectors }: Catalog, tool: Tool, account: ResolvedAccount): Connector {
  const connector = connectors.get(tool.connector);
  if (connector !== undefined && account.connector === connector.id) return connector;
  const message = `"${tool.name}" needs an account of "${tool.connector}"; this one is of "${account.connector}".`;
  throw new ServiceError('invalid_input', message, {
    errors: [{ field: 'connectedAccountId', rule: 'connector', message }],
  });
}

export function resolveCall(catalog: Catalog, tool: Tool, request: ExecuteRequest): ResolvedCall {
  try {
    return catalog.resolveCall(tool, request);
  } catch (error) {
    if (error instanceof UnknownVersionError) {
      throw new ServiceError(
        'unknown_version',
        error.message,
        { available: error.available },
        { cause: error },
      );
    }
    throw toServiceError(error);
  }
}

export interface Ways {
  readonly exchange: Exchange;
  readonly mcp: () => Mcp;
}

interface Running {
  readonly parts: RunParts;
  readonly ways: Ways;
}

async function run(tool: Tool, { version, input }: ResolvedCall, running: Running): Promise<unknown> {
  const { parts, ways } = running;
  if (version.mcp) {
    const result = await ways.mcp().call(version.mcp.tool, bindArguments(version.mcp, input));
    return dataOf(version.answer, { input, answer: mcpData(result, version.mcp) });
  }
  if (!version.handler) {
    const schema = parts.catalog.plainInputSchemaOf(tool, version);
    return runRequests({ version, input, schema }, ways.exchange);
  }
  const handler = parts.handlers[tool.name];
  if (handler === undefined) throw new ServiceError('internal_error', `"${tool.name}" has no handler.`);
  // The catalogue has just checked the input by the schema that the handler's type is made from.
  return handler(input as never, toSend(ways.exchange), {
    now: parts.now,
    randomId: parts.randomId,
    sleep: parts.sleep,
    mcp: ways.mcp(),
  });
}

/** Runs the tool over these ways. */
export const runTool = (...call: Parameters<typeof run>): Promise<unknown> =>
  run(...call).catch((error: unknown) => {
    throw toServiceError(error);
  });

// Records how the call ended, whichever way that was.
async function track(
  execution: RunningExecution,
  call: (onStatus: (status: number) => void) => Promise<ToolResult>,
): Promise<ToolResult> {
  let upstreamStatus: number | null = null;
  try {
    const result = await call((status) => {
      upstreamStatus = status;
    });
    execution.finish({ status: 200, upstreamStatus });
    return result;
  } catch (error) {
    const { status, code } = toOwnError(error);
    execution.finish({ status, errorCode: code, upstreamStatus });
    throw error;
  }
}

interface ToolCallContext {
  readonly tool: Tool;
  readonly account: ResolvedAccount;
  readonly connector: Connector;
  readonly signal: Cancellation | undefined;
  readonly onStatus: (status: number) => void;
  readonly trace: Trace;
  readonly holding: MemoryShare;
}

/** The ways to the upstream that a call of the tool has. */
export function createWays(parts: WayParts) {
  const exchangeIn = createExchange(parts);
  const repeatFor = createRepeat(parts);
  return ({ tool, signal, ...running }: ToolCallContext): Ways => {
    const { readOnly: isReadOnly, longRunning } = tool.hints;
    // A write that has begun is finished: its answer waits for a caller that asks again with the same key.
    const context = { ...running, isReadOnly, signal: isReadOnly ? signal : undefined };
    const repeat = repeatFor(context);
    const timeoutMs = longRunning ? LONG_RUNNING_MS : undefined;
    return {
      exchange: exchangeIn({ ...context, repeat, timeoutMs }),
      mcp: () => createToolMcp(parts.openMcp, { ...context, repeat, timeoutMs: timeoutMs ?? DEADLINE_MS }),
    };
  };
}

/** Executes tools. Throws at once when the catalogue holds one that cannot be executed. */
export function createExecute(parts: ExecuteParts): Execute {
  const { catalog, resolve, handlers, beginExecution } = parts;
  checkTools(catalog, handlers);
  const waysOf = createWays(parts);

  return async (request) => {
    const { applicationId, requestId, signal } = request;
    const tool = findTool(catalog, request.toolName);
    const account = await findCallerAccount(resolve, applicationId, request);
    request.checkAccount?.(account);
    request.onAccount?.(account);
    const connector = connectorOf(catalog, tool, account);
    const execution = beginExecution(account, {
      kind: 'tool',
      toolName: tool.name,
      method: null,
      requestId,
    });
    const running = { tool, account, connector, signal, trace: execution.trace };
    return track(execution, async (onStatus) => {
      const call = resolveCall(catalog, tool, request);
      const { name, hints } = tool;
      const allowed = request.checkCall?.({ account, tool: { name, hints, input: call.input } });
      const ready = { ...call, tool, account, execution, mustAsk: allowed?.mustAsk ?? false };
      const hold = { applicationId, isReadOnly: tool.hints.readOnly, whenSent: request.whenSent };
      return parts.askFirst(ready, async () => {
        await allowed?.count();
        const data = await holdAnswers(parts.memory, hold, (holding) =>
          runTool(tool, call, { parts, ways: waysOf({ ...running, onStatus, holding }) }),
        );
        return {
          data,
          nextInput: nextInput(call.version.paging, data),
          schemaVersion: call.version.schema_version,
          toolVersion: call.version.tool_version,
          executionId: execution.id,
        };
      });
    });
  };
}

import {
  type Answer,
  type Catalog,
  type Connector,
  type ResolvedCall,
  requestsOf,
  type Tool,
  type ToolVersion,
} from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { AnswerMemory } from '../listener/answer-memory.js';
import type { Resolve, ResolvedAccount } from '../upstream/forward.js';
import type { PlannedRequest, PlanRequest } from '../upstream/plan-request.js';
import type { UpstreamRequest } from '../upstream/request.js';
import { newTrace } from '../upstream/trace.js';
import type { ExecuteRequest } from './execute.js';
import type { Mcp } from './handler.js';
import { reserveAnswerMemory } from './reserve-answer-memory.js';
import { connectorOf, findCallerAccount, findTool, resolveVersion } from './resolve-tool-call.js';
import type { RunTool } from './run-tool.js';
import { type Exchange, toSend } from './send-request.js';
import { type AccessUpstream, noMcp, type UpstreamAccess } from './upstream-access.js';

export interface DryRunRequest extends PlannedRequest {
  /** True if the dry run has sent this request. It sends reads only, where the next request depends on the response. */
  readonly isSent: boolean;
}

/** Effects that a call would have. */
export interface DryRun {
  /** Requests that it would send, in this order, as far as they are known. */
  readonly requests: readonly DryRunRequest[];
  /** True when those are all. */
  readonly isComplete: boolean;
  /** One sentence for each thing that is not known, with the reason. */
  readonly unknown: readonly string[];
  /** Error that would end the call before anything is sent. */
  readonly refusal?: Pick<ServiceError, 'code' | 'message'> & Partial<Pick<ServiceError, 'details'>>;
}

export interface DryRunResult {
  readonly dryRun: DryRun;
  readonly schemaVersion: string;
  readonly toolVersion: string;
}

interface DryRunParts {
  readonly catalog: Catalog;
  readonly resolve: Resolve;
  readonly memory: AnswerMemory;
  /** True when the connection demands that a person is asked before this tool runs. */
  readonly asksBefore: (account: ResolvedAccount, tool: Tool) => boolean;
  readonly planRequest: PlanRequest;
  readonly accessUpstream: AccessUpstream;
  readonly runTool: RunTool;
}

interface Caller {
  readonly account: ResolvedAccount;
  /** Error of an account that cannot be used now. */
  readonly refusal: ServiceError | undefined;
}

/** Finds the account of a call, whether it can be used or not. */
async function findCaller(resolve: Resolve, request: ExecuteRequest): Promise<Caller> {
  try {
    return { account: await findCallerAccount(resolve, request), refusal: undefined };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'account_not_authorized') throw error;
    return { account: await resolve.unchecked(request.applicationId, request), refusal: error };
  }
}

// No caller gets it, because the dry run ends where it is thrown.
const UNKNOWN_READ = new Error('A response that does not exist was read.');

const isRead = ({ method }: Pick<UpstreamRequest, 'method'>): boolean =>
  method === 'GET' || method === 'HEAD';

/** A response that is not known. A tool may pass it on or await it; any read of it calls `onRead`. */
function unknownResponse(onRead: () => never): object {
  return new Proxy(
    {},
    {
      // A promise that resolves to it asks for `then`.
      get: (_, name) => (name === 'then' ? undefined : onRead()),
      has: onRead,
      ownKeys: onRead,
      getOwnPropertyDescriptor: onRead,
    },
  );
}

/** Placeholders for responses that nobody requested. The first read of one ends what can be known. */
function createPlaceholders() {
  const { promise, resolve } = Promise.withResolvers<number>();
  let [isAny, wasRead] = [false, false];
  return {
    /** `count`: number of requests up to the one whose response it stands for. */
    create(count: number): object {
      isAny = true;
      return unknownResponse(() => {
        wasRead = true;
        resolve(count);
        throw UNKNOWN_READ;
      });
    },
    isAny: () => isAny,
    wasRead: () => wasRead,
    /** Resolves to the `count` of the first placeholder that was read. */
    whenRead: promise,
  };
}

interface Planning extends Caller {
  readonly tool: Tool;
  readonly connector: Connector;
  /** Nothing may be sent before a person has agreed. */
  readonly mustAsk: boolean;
  readonly upstream: UpstreamAccess;
}

/** Access to the upstream that records requests, and sends only reads that change nothing. */
function planAccess(planRequest: PlanRequest, planning: Planning) {
  const { tool, account, connector, refusal, mustAsk, upstream } = planning;
  const requests: DryRunRequest[] = [];
  const placeholders = createPlaceholders();
  const nextPlaceholder = () => placeholders.create(requests.length);
  // A tool that only reads sends nothing, because its reads may cost something; running it shows the rest.
  const mayRead = refusal === undefined && !mustAsk && !tool.hints.readOnly;

  const exchange: Exchange = async (request) => {
    // The dry run has ended. A tool that waits for another response would go on without end.
    if (placeholders.wasRead()) return new Promise(() => {});
    const isSent = isRead(request) && mayRead && !placeholders.isAny();
    requests.push({ ...planRequest(account, request), isSent });
    if (isSent) return upstream.exchange(request);
    const [body, headers] = [nextPlaceholder(), nextPlaceholder()];
    return { status: 200, body, headers: headers as NonNullable<Answer['headers']> };
  };
  const [path = '', query = ''] = connector.mcp?.path.split('?', 2) ?? [];
  // A result of the MCP server is unknown like any other response.
  const mcp = {
    // The list of tools decides which requests a handler sends, so it is read where that is allowed.
    tools: async () => (refusal === undefined && !mustAsk ? upstream.mcp().tools() : nextPlaceholder()),
    call: (name: string, args: object) =>
      toSend(exchange)({
        method: 'POST',
        path,
        query: Object.fromEntries(new URLSearchParams(query)),
        body: { method: 'tools/call', params: { name, arguments: args } },
      }),
  } as Mcp;
  const planned = {
    exchange,
    mcp: () => (connector.mcp === undefined ? noMcp : mcp),
    // Only a response names what is downloaded or unpacked, and the dry run ends where a tool reads it.
    download: () => new Promise<never>(() => {}),
    takeMemory: upstream.takeMemory,
  };
  return { requests, placeholders, planned };
}

type Plan = ReturnType<typeof planAccess>;

/** Resolves to the number of requests that are known, or to `all` when the tool has ended. */
function countKnown(
  running: Promise<unknown>,
  { requests, placeholders }: Pick<Plan, 'requests' | 'placeholders'>,
): Promise<'all' | number> {
  const whenEnded = running.then(
    () => 'all' as const,
    (error: unknown) => {
      // A tool that fails because of a placeholder says nothing about the call.
      if (placeholders.isAny()) return requests.length;
      throw error;
    },
  );
  return Promise.race([placeholders.whenRead, whenEnded]);
}

const toRefusal = ({ code, message, details }: ServiceError): NonNullable<DryRun['refusal']> => ({
  code,
  message,
  ...(details && { details }),
});

const NO_LIST =
  "The requests depend on the server's list of tools, which is not available for this account now.";

/** Number of requests of a version; `undefined` where a handler decides. */
function countOf(version: ToolVersion): number | undefined {
  if (version.handler) return undefined;
  return version.mcp ? 1 : requestsOf(version).length;
}

/** Says why the requests after the first `count` are unknown. */
function unknownAfter(
  count: number,
  requests: readonly DryRunRequest[],
  { tool, refusal, mustAsk }: Pick<Planning, 'tool' | 'refusal' | 'mustAsk'>,
): readonly string[] {
  const last = requests[count - 1];
  if (last === undefined) return [NO_LIST];
  const depends = `Further requests may follow request ${count}, ${last.method} ${last.path}, depending on its response.`;
  if (tool.hints.readOnly)
    return [depends, 'A dry run of a tool that only reads sends nothing: run the tool to see the rest.'];
  if (refusal !== undefined && isRead(last)) return [depends, 'The account cannot be read at the moment.'];
  if (mustAsk && isRead(last)) return [depends, 'Nothing is read before a person approves the call.'];
  return [depends, 'A dry run sends no request that may change something.'];
}

export function createDryRun(parts: DryRunParts) {
  const { accessUpstream, asksBefore, catalog, memory, planRequest, resolve, runTool } = parts;

  async function plan(call: ResolvedCall, planning: Planning): Promise<Pick<DryRun, 'requests' | 'unknown'>> {
    const { requests, placeholders, planned } = planAccess(planRequest, planning);
    const running = runTool(planning.tool, call, planned);
    const known = await countKnown(running, { requests, placeholders });
    const isAll = known === 'all' || known === countOf(call.version);
    return { requests, unknown: isAll ? [] : unknownAfter(known, requests, planning) };
  }

  /** Runs the tool with access that sends no change, and records the requests. Throws what the call throws for its input. */
  async function dryRun(request: ExecuteRequest): Promise<DryRunResult> {
    const { applicationId, signal, toolName, whenSent } = request;
    const tool = findTool(catalog, toolName);
    const { account, refusal } = await findCaller(resolve, request);
    request.checkAccount?.(account);
    request.onAccount?.(account);
    const connector = connectorOf(catalog, tool, account);
    const call = resolveVersion(catalog, tool, request);
    const { name, hints } = tool;
    const allowed = request.checkCall?.({ account, tool: { name, hints, input: call.input } });
    const mustAsk = allowed?.mustAsk === true || asksBefore(account, tool);
    const reservation = { applicationId, isReadOnly: true, whenSent };
    const { requests, unknown } = await reserveAnswerMemory(memory, reservation, (holding) => {
      const [trace, onStatus] = [newTrace(), () => undefined];
      const upstream = accessUpstream({ tool, account, connector, signal, trace, onStatus, holding });
      return plan(call, { tool, account, connector, refusal, mustAsk, upstream });
    });
    const isComplete = unknown.length === 0;
    return {
      dryRun: { requests, isComplete, unknown, ...(refusal && { refusal: toRefusal(refusal) }) },
      schemaVersion: call.version.schema_version,
      toolVersion: call.version.tool_version,
    };
  }

  return dryRun;
}

export type RunDry = ReturnType<typeof createDryRun>;

import {
  type Catalog,
  type Connector,
  type ParsedResponse,
  type ResolvedCall,
  requestsOf,
  type Tool,
  type ToolVersion,
} from '@svc/catalog';
import type { BodyMemory } from '../concurrency/body-memory.js';
import { policyNeedsApproval } from '../connections/approval-policy.js';
import type { Resolve } from '../connections/resolve.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import type { PlannedRequest, PlanRequest } from '../upstream/plan-request.js';
import type { UpstreamRequest } from '../upstream/request.js';
import { newTrace } from '../upstream/trace.js';
import type { ExecuteRequest } from './execute-request.js';
import type { HandlerContext, LinkedFile, Mcp } from './handler.js';
import { reserveResponseMemory } from './reserve-response-memory.js';
import { checkToolCall, findCallerAccount, findTool } from './resolve-tool-call.js';
import type { RunTool } from './run-tool.js';
import { type Exchange, toSend } from './send-request.js';
import { type AccessUpstream, noMcp, type UpstreamAccess } from './upstream-access.js';

export interface DryRunRequest extends PlannedRequest {
  /**
   * True if the dry run has sent this upstream request. A dry run sends only reads, and only if a later request depends
   * on their response.
   */
  readonly isSent: boolean;
}

/** Result of a dry run: the effects that a tool call would have at the upstream. */
export interface DryRun {
  /**
   * Upstream requests that the tool call would send, in order. Requests that depend on an unknown response are missing.
   */
  readonly requests: readonly DryRunRequest[];
  /** True if `requests` contains every request that the tool call would send. */
  readonly isComplete: boolean;
  /** Explains in one sentence each why upstream requests are missing from `requests`. */
  readonly unknown: readonly string[];
  /** Error with which the real tool call would end before it sends any request. */
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
  readonly memory: BodyMemory;
  readonly planRequest: PlanRequest;
  readonly accessUpstream: AccessUpstream;
  readonly runTool: RunTool;
}

interface Caller {
  readonly account: ResolvedAccount;
  /** Error of a connected account that the caller cannot use now, such as an account without authorization. */
  readonly refusal: ServiceError | undefined;
}

/** Finds the connected account of a tool call for a dry run, even if the account cannot be used now. */
async function findCaller(resolve: Resolve, request: ExecuteRequest, tool: Tool): Promise<Caller> {
  try {
    return { account: await findCallerAccount(resolve, request, tool), refusal: undefined };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'account_not_authorized') throw error;
    const account = await resolve.unchecked(request.applicationId, request);
    request.checkAccount?.(account);
    return { account, refusal: error };
  }
}

// Error that stops a dry run when a tool reads a response that does not exist. Callers of the API never see this error.
const UNKNOWN_READ = new Error('The dry run reads the response of a request that was not sent.');

const isRead = ({ method }: Pick<UpstreamRequest, 'method'>): boolean =>
  method === 'GET' || method === 'HEAD';

/**
 * Creates a placeholder for the response of an upstream request that a dry run does not send. A tool may pass the
 * placeholder on or await it; any read of it calls `onRead`.
 */
function unknownResponse(onRead: () => never): object {
  return new Proxy(
    {},
    {
      // `await` reads `then` of every value, so a read of this property must not count as a read of the response.
      get: (_, name) => (name === 'then' ? undefined : onRead()),
      has: onRead,
      ownKeys: onRead,
      getOwnPropertyDescriptor: onRead,
    },
  );
}

/**
 * Creates placeholders for the responses of requests that the dry run does not send. The first read of a placeholder
 * ends the dry run, because later requests depend on the response.
 */
function createPlaceholders() {
  const { promise, resolve } = Promise.withResolvers<number>();
  let [isAny, wasRead] = [false, false];
  return {
    /**
     * Creates a placeholder for a missing response. `count`: number of recorded requests, including the request whose
     * response the placeholder replaces.
     */
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
    /**
     * Resolves when the tool first reads a placeholder (an object for a response that does not exist). The value is the
     * `count` of this placeholder.
     */
    whenRead: promise,
  };
}

interface Planning extends Caller {
  readonly tool: Tool;
  readonly connector: Connector;
  /**
   * True if the token or the connection requires a person's approval of the tool call. The dry run then sends no
   * request.
   */
  readonly needsApproval: boolean;
  readonly upstream: UpstreamAccess;
}

/** Creates the upstream access of a dry run. It records every request, and sends only reads. */
function planAccess(planRequest: PlanRequest, planning: Planning) {
  const { tool, account, connector, refusal, needsApproval, upstream } = planning;
  const requests: DryRunRequest[] = [];
  const placeholders = createPlaceholders();
  const nextPlaceholder = () => placeholders.create(requests.length);
  // Tools that only read send nothing in a dry run, because their requests may cost money. The caller can run the tool
  // instead.
  const mayRead = refusal === undefined && !needsApproval && !tool.hints.readOnly;

  const exchange: Exchange = async (request) => {
    // Returns a promise that never resolves, to stop the tool after the end of the dry run. The tool could otherwise
    // record requests in an endless loop.
    if (placeholders.wasRead()) return new Promise(() => {});
    const isSent = isRead(request) && mayRead && !placeholders.isAny();
    requests.push({ ...planRequest(account, request), isSent });
    if (isSent) return upstream.exchange(request);
    const [body, headers] = [nextPlaceholder(), nextPlaceholder()];
    return { status: 200, body, headers: headers as NonNullable<ParsedResponse['headers']> };
  };
  const [path = '', query = ''] = connector.mcp?.path.split('?', 2) ?? [];
  // Calls of MCP tools are recorded but not sent, because a dry run must have no effect. Their results are
  // placeholders.
  const mcp = {
    // Returns the MCP server's list of tools if the dry run may read it, because the list decides which requests a
    // handler sends.
    tools: async () => (refusal === undefined && !needsApproval ? upstream.mcp().tools() : nextPlaceholder()),
    call: (name: string, args: object) =>
      toSend(exchange)({
        method: 'POST',
        path,
        query: Object.fromEntries(new URLSearchParams(query)),
        body: { method: 'tools/call', params: { name, arguments: args } },
      }),
  } as Mcp;
  let hasLink = false;
  // Checks the form of a link, but does not open it. The tool gets a placeholder for the content of the file.
  const readLink: HandlerContext['readLink'] = async (link, use) => {
    upstream.checkLink(link);
    hasLink = true;
    const chunks = () => nextPlaceholder() as ReturnType<LinkedFile['chunks']>;
    return use({ mediaType: undefined, size: undefined, chunks });
  };
  const planned = {
    exchange,
    readLink,
    checkLink: upstream.checkLink,
    mcp: () => (connector.mcp === undefined ? noMcp : mcp),
    // Downloads of files never resolve in a dry run, because the download link is part of a response that the dry run
    // does not have.
    download: () => new Promise<never>(() => {}),
    takeMemory: upstream.takeMemory,
  };
  return { requests, placeholders, planned, hasLink: () => hasLink };
}

type Plan = ReturnType<typeof planAccess>;

/**
 * Waits until the dry run can find no further upstream requests of the tool. Resolves to the number of requests that it
 * found, or to `all` if the tool has finished.
 */
function countKnown(
  running: Promise<unknown>,
  { requests, placeholders }: Pick<Plan, 'requests' | 'placeholders'>,
): Promise<'all' | number> {
  const whenEnded = running.then(
    () => 'all' as const,
    (error: unknown) => {
      // The tool may have failed because it got a placeholder instead of a response, so its error says nothing about
      // the real call.
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

const NO_LINK =
  'A dry run does not open links. Run the tool to see whether the file can be read, and the further requests.';
const NO_LIST =
  'The requests depend on the tool list of the MCP server, which this account cannot read at the moment.';

/**
 * Number of upstream requests that a tool version sends. `undefined` if the tool runs handler code, which decides the
 * number.
 */
function countOf(version: ToolVersion): number | undefined {
  if (version.handler) return undefined;
  return version.mcp ? 1 : requestsOf(version).length;
}

/**
 * Explains to the caller why the dry run lists only the first `count` upstream requests of the tool call. Later
 * requests depend on responses that the dry run does not have.
 */
function unknownAfter(
  count: number,
  requests: readonly DryRunRequest[],
  { tool, refusal, needsApproval }: Pick<Planning, 'tool' | 'refusal' | 'needsApproval'>,
): readonly string[] {
  const last = requests[count - 1];
  if (last === undefined) return [NO_LIST];
  const depends = `Further requests may follow request ${count}, ${last.method} ${last.path}, depending on its response.`;
  if (tool.hints.readOnly)
    return [depends, 'A dry run of a read-only tool sends nothing. Run the tool to see the rest.'];
  if (refusal !== undefined && isRead(last)) return [depends, 'The account cannot be read at the moment.'];
  if (needsApproval && isRead(last)) return [depends, 'Nothing is read before a person approves the call.'];
  return [depends, 'A dry run sends no request that may change something.'];
}

export function createDryRun(parts: DryRunParts) {
  const { accessUpstream, catalog, memory, planRequest, resolve, runTool } = parts;

  async function plan(call: ResolvedCall, planning: Planning): Promise<Pick<DryRun, 'requests' | 'unknown'>> {
    const { requests, placeholders, planned, hasLink } = planAccess(planRequest, planning);
    const running = runTool(planning.tool, call, planned);
    const known = await countKnown(running, { requests, placeholders });
    const isAll = known === 'all' || known === countOf(call.version);
    if (isAll) return { requests, unknown: [] };
    const unknown = hasLink() && known === 0 ? [] : unknownAfter(known, requests, planning);
    return { requests, unknown: hasLink() ? [...unknown, NO_LINK] : unknown };
  }

  /**
   * Runs the tool as a dry run: sends no writes, and records the requests. Throws the errors that the real tool call
   * throws for this input.
   */
  async function dryRun(request: ExecuteRequest): Promise<DryRunResult> {
    const { applicationId, signal, toolName, whenSent } = request;
    const tool = findTool(catalog, toolName);
    const { account, refusal } = await findCaller(resolve, request, tool);
    const { connector, allowed, ...call } = checkToolCall(catalog, request, { tool, account });
    const needsApproval = allowed?.needsApproval === true || policyNeedsApproval(account, tool);
    const reservation = { applicationId, isReadOnly: true, whenSent };
    const { requests, unknown } = await reserveResponseMemory(memory, reservation, (holding) => {
      const [trace, onStatus] = [newTrace(), () => undefined];
      const upstream = accessUpstream({ tool, account, connector, signal, trace, onStatus, holding });
      return plan(call, { tool, account, connector, refusal, needsApproval, upstream });
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

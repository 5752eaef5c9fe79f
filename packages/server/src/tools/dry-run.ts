import { type Answer, type Catalog, requestsOf, type Tool, type ToolVersion } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { Resolve, ResolvedAccount } from '../upstream/forward.js';
import type { PlannedRequest, PlanRequest } from '../upstream/plan-request.js';
import type { UpstreamRequest } from '../upstream/request.js';
import { newTrace } from '../upstream/trace.js';
import {
  connectorOf,
  createWays,
  type ExecuteParts,
  type ExecuteRequest,
  findTool,
  resolveCall,
  runTool,
  type Ways,
} from './execute.js';
import { findCallerAccount } from './find-caller-account.js';
import type { Mcp } from './handler.js';
import { holdAnswers } from './hold-answers.js';
import { noMcp } from './no-mcp.js';
import { type Exchange, toSend } from './send.js';

export interface DryRunRequest extends PlannedRequest {
  /** It reads, and was sent now, because what follows depends on its answer. */
  readonly isSent: boolean;
}

/** What a call would do. */
export interface DryRun {
  /** What it would send, in this order, as far as that can be known. */
  readonly requests: readonly DryRunRequest[];
  /** Whether those are all. */
  readonly isComplete: boolean;
  /** What is not known, and why: a sentence each. */
  readonly unknown: readonly string[];
  /** The error that the call would end with before anything is sent. */
  readonly refusal?: Pick<ServiceError, 'code' | 'message'> & Partial<Pick<ServiceError, 'details'>>;
}

export interface DryRunResult {
  readonly dryRun: DryRun;
  readonly schemaVersion: string;
  readonly toolVersion: string;
}

export interface DryRunParts extends Omit<ExecuteParts, 'beginExecution' | 'askFirst'> {
  /** Whether the connection wants a person to be asked before this tool runs. */
  readonly asksBefore: (account: ResolvedAccount, tool: Tool) => boolean;
  readonly planRequest: PlanRequest;
}

/** Tells what a call would send, without changing anything upstream. Throws what the call would throw for its input. */
export type RunDry = (request: ExecuteRequest) => Promise<DryRunResult>;

interface Caller {
  readonly account: ResolvedAccount;
  /** Why it cannot be used now. */
  readonly refusal: ServiceError | undefined;
}

/** The account of a call, whether it may be used or not. */
async function findCaller(resolve: Resolve, applicationId: string, request: ExecuteRequest): Promise<Caller> {
  try {
    return { account: await findCallerAccount(resolve, applicationId, request), refusal: undefined };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'account_not_authorized') throw error;
    return { account: await resolve.unchecked(applicationId, request), refusal: error };
  }
}

// Nobody is told of it: the run ends where it is thrown, whatever becomes of it there.
const LOOKED = new Error('An answer that does not exist was looked into.');

const isRead = ({ method }: Pick<UpstreamRequest, 'method'>): boolean =>
  method === 'GET' || method === 'HEAD';

interface Planning extends Caller {
  readonly tool: Tool;
  /** Whether nothing of it may run before a person has agreed. */
  readonly mustAsk: boolean;
  readonly catalog: Catalog;
  readonly planRequest: PlanRequest;
  readonly ways: Ways;
}

type Known = Pick<Planning, 'tool' | 'refusal' | 'mustAsk'> & Pick<DryRun, 'requests'>;

/**
 * Stands for an answer that nobody has. It can be handed on and waited for; whoever looks into it gets what `onLook` throws.
 */
function unknownAnswer(onLook: () => never): object {
  return new Proxy(
    {},
    {
      // A promise that is resolved with it asks whether it is a promise itself.
      get: (_, name) => (name === 'then' ? undefined : onLook()),
      has: onLook,
      ownKeys: onLook,
      getOwnPropertyDescriptor: onLook,
    },
  );
}

/** Stand-ins for answers that nobody has asked for; the first look into one of them is the end of what can be known. */
function createGuesses() {
  const { promise, resolve } = Promise.withResolvers<number>();
  let [isAny, isOver] = [false, false];
  return {
    /** Of the request that is the last of so many. */
    guess(count: number): object {
      isAny = true;
      return unknownAnswer(() => {
        isOver = true;
        resolve(count);
        throw LOOKED;
      });
    },
    isAny: () => isAny,
    isOver: () => isOver,
    /** Resolves to the number of requests up to the one whose answer was looked into. */
    whenLooked: promise,
  };
}

/** Ways that write down what would go over them, and let nothing through that may change something. */
function createPlan({ tool, account, refusal, mustAsk, catalog, planRequest, ways }: Planning) {
  const requests: DryRunRequest[] = [];
  const guesses = createGuesses();
  // A tool that only reads need not be read for: what it asks for may cost something, and running it shows the rest.
  const mayRead = refusal === undefined && !mustAsk && !tool.hints.readOnly;

  const exchange: Exchange = async (request) => {
    // Whatever the tool does now it does for nothing, and without end if it waits for another answer.
    if (guesses.isOver()) return new Promise(() => {});
    const isSent = isRead(request) && mayRead && !guesses.isAny();
    requests.push({ ...planRequest(account, request), isSent });
    if (isSent) return ways.exchange(request);
    const [body, headers] = [guesses.guess(requests.length), guesses.guess(requests.length)];
    return { status: 200, body, headers: headers as NonNullable<Answer['headers']> };
  };
  const { mcp: server } = catalog.connectors.get(tool.connector) ?? {};
  const [path = '', query = ''] = server?.path.split('?', 2) ?? [];
  // An answer of the server is unknown like any other.
  const mcp = {
    // Its own list of tools says how the server is to be spoken to; without it there is nothing to tell.
    tools: async () =>
      refusal === undefined && !mustAsk ? ways.mcp().tools() : guesses.guess(requests.length),
    call: (name: string, args: object) => {
      const body = { method: 'tools/call', params: { name, arguments: args } };
      return toSend(exchange)({
        method: 'POST',
        path,
        query: Object.fromEntries(new URLSearchParams(query)),
        body,
      });
    },
  } as Mcp;
  return { requests, guesses, ways: { exchange, mcp: () => (server === undefined ? noMcp : mcp) } };
}

/** `all`: the tool has ended and sent all that it sends. A number: so many requests are known. */
async function endOf(
  running: Promise<unknown>,
  { requests, guesses }: ReturnType<typeof createPlan>,
): Promise<'all' | number> {
  const whenEnded = running.then(
    () => 'all' as const,
    (error: unknown) => {
      // It is no error of the call that a tool did not take what stands for an answer.
      if (guesses.isAny()) return requests.length;
      throw error;
    },
  );
  return Promise.race([guesses.whenLooked, whenEnded]);
}

const told = ({ code, message, details }: ServiceError): NonNullable<DryRun['refusal']> => ({
  code,
  message,
  ...(details && { details }),
});

const NO_LIST =
  'What is sent depends on the tools that the server lists, which it does not tell this account now.';

/** How many requests a version is made of; `undefined` where code says so. */
function countOf(version: ToolVersion): number | undefined {
  if (version.handler) return undefined;
  return version.mcp ? 1 : requestsOf(version).length;
}

/** Why nobody knows what comes after so many requests. */
function unknownAfter(count: number, { tool, refusal, mustAsk, requests }: Known): readonly string[] {
  const last = requests[count - 1];
  if (last === undefined) return [NO_LIST];
  const depends = `Whether more follows request ${count}, ${last.method} ${last.path}, depends on its answer.`;
  if (tool.hints.readOnly)
    return [depends, 'A dry run of a tool that only reads sends nothing: run the tool to see the rest.'];
  if (refusal !== undefined && isRead(last)) return [depends, 'The account cannot be read as now.'];
  if (mustAsk && isRead(last)) return [depends, 'Nothing is read before a person has agreed to the call.'];
  return [depends, 'A dry run sends nothing that may change something.'];
}

/** Plans calls of tools by running them with ways that send no change. */
export function createDryRun(parts: DryRunParts): RunDry {
  const { asksBefore, catalog, resolve, memory, planRequest } = parts;
  const waysOf = createWays(parts);

  return async (request) => {
    const { applicationId, signal } = request;
    const tool = findTool(catalog, request.toolName);
    const { account, refusal } = await findCaller(resolve, applicationId, request);
    request.checkAccount?.(account);
    request.onAccount?.(account);
    const connector = connectorOf(catalog, tool, account);
    const call = resolveCall(catalog, tool, request);
    const { name, hints } = tool;
    const allowed = request.checkCall?.({ account, tool: { name, hints, input: call.input } });
    const mustAsk = allowed?.mustAsk === true || asksBefore(account, tool);
    const hold = { applicationId, isReadOnly: true, whenSent: request.whenSent };
    const { requests, unknown } = await holdAnswers(memory, hold, async (holding) => {
      const running = { tool, account, connector, signal, trace: newTrace(), holding, onStatus: () => {} };
      const plan = createPlan({
        tool,
        account,
        refusal,
        mustAsk,
        catalog,
        planRequest,
        ways: waysOf(running),
      });
      const ended = await endOf(runTool(tool, call, { parts, ways: plan.ways }), plan);
      const isAll = ended === 'all' || ended === countOf(call.version);
      const known = { tool, refusal, mustAsk, requests: plan.requests };
      return { ...plan, unknown: isAll ? [] : unknownAfter(ended, known) };
    });
    const { schema_version: schemaVersion, tool_version: toolVersion } = call.version;
    const dryRun = {
      requests,
      isComplete: unknown.length === 0,
      unknown,
      ...(refusal && { refusal: told(refusal) }),
    };
    return { dryRun, schemaVersion, toolVersion };
  };
}

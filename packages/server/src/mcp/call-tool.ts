import type { Catalog, JsonObject, Tool } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { Call } from '../front/call.js';
import type { InputRoom } from '../front/input-room.js';
import type { LimitCalls } from '../front/limit-calls.js';
import type { TokenUses } from '../tokens/token-uses.js';
import type { RunDry } from '../tools/dry-run.js';
import type { Execute, ExecuteRequest } from '../tools/execute.js';
import { checksOf } from '../tools/token-checks.js';
import { type Answer, type Done, nextPageHint } from './answer.js';
import type { Attempt, ToFailure } from './failure.js';
import type { Jobs } from './jobs.js';
import type { Surface } from './surface.js';
import type { DescribedTool, DescribeTool } from './wire-tool.js';

export interface CallToolParts {
  readonly catalog: Catalog;
  readonly execute: Execute;
  readonly dryRun: RunDry;
  readonly tokenUses: TokenUses;
  readonly limitAccount: LimitCalls;
  readonly describeTool: DescribeTool;
  readonly jobs: Jobs;
  readonly toFailure: ToFailure;
}

/** A call as a client makes it, straight or by way of a meta tool. */
export interface ToolCalling {
  readonly surface: Surface;
  readonly input: JsonObject;
  readonly call: Call;
  /** It is to change nothing, and to tell what it would do. */
  readonly isDry: boolean;
  /** What holds the input. */
  readonly room: InputRoom;
  /** Told every few seconds how many have passed, where the client asked for it. */
  readonly onProgress?: ((seconds: number) => void) | undefined;
}

/** Runs a tool that the surface has. Never throws. */
export type CallTool = (tool: Tool, calling: ToolCalling) => Promise<Answer>;

interface Chosen {
  readonly connectionName: string;
  /** Without the choice. */
  readonly toolInput: JsonObject;
}

const notValid = (field: string, rule: string, message: string): ServiceError =>
  new ServiceError('invalid_input', message, { errors: [{ field, rule, message }] });

/** The account that a call means: the only one, or the one that it names. Throws invalid_input, and never picks. */
function chooseAccount({ reach }: Surface, { tool, accountInput }: DescribedTool, input: JsonObject): Chosen {
  const names = reach.get(tool.connector) ?? [];
  const { [accountInput]: given, ...toolInput } = input;
  const choices = names.map((name) => JSON.stringify(name)).join(', ');
  const [only] = names;
  if (given === undefined) {
    if (only !== undefined && names.length === 1) return { connectionName: only, toolInput };
    const message = `The user has several accounts: name one in "${accountInput}": ${choices}.`;
    throw notValid(accountInput, 'required', message);
  }
  if (typeof given === 'string' && names.includes(given)) return { connectionName: given, toolInput };
  throw notValid(accountInput, 'enum', `"${accountInput}" must be one of ${choices}.`);
}

/** The one way to a tool: every check of a call stands here, or behind `execute` where calls over HTTP meet it too. */
export function createCallTool(parts: CallToolParts): CallTool {
  const { catalog, execute, dryRun, tokenUses, limitAccount, describeTool, jobs, toFailure } = parts;

  async function run(
    tool: Tool,
    { surface, input, call, isDry }: ToolCalling,
    attempt: Attempt,
  ): Promise<Answer> {
    const { account } = attempt;
    if (account === undefined) throw new Error('No account was chosen.');
    const ended = Promise.withResolvers<void>();
    call.onClose(ended.resolve);
    try {
      const request: ExecuteRequest = {
        ...account,
        toolName: tool.name,
        toolInput: input,
        applicationId: attempt.applicationId,
        requestId: attempt.requestId,
        signal: call.signal,
        onAccount: ({ id }) => limitAccount(call.request, call.headers, id),
        whenSent: ended.promise,
        ...checksOf(tokenUses, surface.shown, account),
      };
      if (isDry) return { plan: await dryRun(request) };
      const { data } = await execute(request);
      const hint = nextPageHint(catalog.selectVersion(tool).paging, data);
      return { data, isWrapped: describeTool(tool).isWrapped, hint } satisfies Done;
    } catch (error) {
      // A link would make an account, and a dry run makes nothing.
      return toFailure(error, isDry ? { ...attempt, account: undefined } : attempt);
    }
  }

  return async (tool, calling) => {
    const { surface, call, isDry, onProgress } = calling;
    const { identifier, shown } = surface;
    const { applicationId } = shown;
    const attempt: Attempt = {
      toolName: tool.name,
      isReadOnly: isDry || tool.hints.readOnly,
      requestId: call.id,
      applicationId,
    };
    try {
      const { connectionName, toolInput } = chooseAccount(surface, describeTool(tool), calling.input);
      const whole = { ...attempt, account: { connectionName, identifier } };
      const running = run(tool, { ...calling, input: toolInput }, whole);
      calling.room.keepDuring(running);
      if (isDry || !tool.hints.longRunning) return await running;
      const subject = { toolName: tool.name, connectionName };
      return await jobs.wait(running, { applicationId, identifier }, { subject, onProgress });
    } catch (error) {
      return toFailure(error, attempt);
    }
  };
}

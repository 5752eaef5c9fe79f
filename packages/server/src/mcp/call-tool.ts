import { type Catalog, isJsonObject, type JsonObject, type Tool } from '@svc/catalog';
import { readLoosely } from '@svc/catalog/dialects';
import { invalidField, invalidInput } from '../errors.js';
import type { ApiRequest } from '../front/api-request.js';
import type { InputRoom } from '../front/input-room.js';
import type { LimitCalls } from '../front/limit-calls.js';
import type { TokenUses } from '../tokens/token-uses.js';
import type { RunDry } from '../tools/dry-run.js';
import type { Execute } from '../tools/execute.js';
import type { ExecuteRequest } from '../tools/execute-request.js';
import type { RecordRefused } from '../tools/record-refused.js';
import { checksOf } from '../tools/token-checks.js';
import type { AccountChoice } from './accessible-connections.js';
import type { DescribeFailure, FailedCall } from './describe-failure.js';
import type { Jobs } from './jobs.js';
import { nextPageHint, type Outcome } from './outcome.js';
import type { Toolset } from './toolset.js';
import type { DescribedTool, DescribeTool } from './wire-tool.js';
import { accountMissing, defaultAccount } from './with-accounts.js';

interface CallToolParts {
  readonly catalog: Catalog;
  readonly execute: Execute;
  readonly dryRun: RunDry;
  readonly tokenUses: TokenUses;
  readonly limitAccount: LimitCalls;
  readonly describeTool: DescribeTool;
  readonly jobs: Jobs;
  readonly describeFailure: DescribeFailure;
  readonly recordRefused: RecordRefused;
}

/** Tool call of an MCP client. The client calls the tool by name, or through the meta tool `call_tool`. */
export interface AgentCall {
  readonly toolset: Toolset;
  readonly input: JsonObject;
  readonly apiRequest: ApiRequest;
  /** True for a dry run: the service reports the upstream requests that the call would send, and sends none. */
  readonly isDry: boolean;
  /** Memory reservation for the request body. It stays until the tool has finished. */
  readonly room: InputRoom;
  /**
   * Progress callback. The service calls it every few seconds with the elapsed seconds. Absent if the client requested
   * no progress.
   */
  readonly onProgress?: ((seconds: number) => void) | undefined;
}

interface ChosenAccount {
  readonly choice: AccountChoice;
  /** Tool input without the extra property that selects the account. */
  readonly toolInput: JsonObject;
}

/**
 * Selects the user's account for a call: the account that the tool input names, or the default. Throws invalid_input if
 * the named account does not exist, or if the input must name an account and does not.
 */
function chooseAccount(
  { connections }: Toolset,
  { tool, accountInput }: DescribedTool,
  input: JsonObject,
): ChosenAccount {
  const accounts = connections.get(tool.connector) ?? [];
  const { [accountInput]: account, ...toolInput } = input;
  const given = account === null || account === '' ? undefined : account;
  if (given === undefined) {
    const choice = defaultAccount(accounts);
    if (choice) return { choice, toolInput };
    throw invalidInput(accountInput, 'required', accountMissing({ accountInput, accounts }));
  }
  const choice = accounts.find(({ name }) => name === given);
  if (choice) return { choice, toolInput };
  const choices = accounts.map(({ name }) => JSON.stringify(name)).join(', ');
  throw invalidField(accountInput, 'enum', `must be one of ${choices}.`);
}

/**
 * Creates the function that runs every tool call of an MCP client. The checks that calls over REST need too are in
 * `execute`.
 */
export function createCallTool(parts: CallToolParts) {
  const { catalog, execute, dryRun, tokenUses, limitAccount, describeTool, jobs } = parts;
  const { describeFailure, recordRefused } = parts;

  /** Selects the account and checks the token's limits. Throws before the execution of the tool begins. */
  function toRequest(tool: Tool, { toolset, apiRequest, input: given }: AgentCall): ExecuteRequest {
    const described = describeTool(tool);
    // Models often send numbers as strings, so the input is converted to the types of the schema first. Dry runs,
    // approvals and token limits then check the converted input.
    const read = readLoosely(given, described.whole.inputSchema);
    const input = isJsonObject(read) ? read : given;
    const { choice, toolInput } = chooseAccount(toolset, described, input);
    const { connectionName, account: label } = choice;
    const { identifier, presented } = toolset;
    const account = { connectionName, identifier, account: label };
    return {
      ...account,
      toolName: tool.name,
      toolInput,
      applicationId: presented.applicationId,
      requestId: apiRequest.id,
      traceId: apiRequest.traceId,
      signal: apiRequest.signal,
      onAccount: ({ id }) => limitAccount(apiRequest.request, apiRequest.headers, id),
      onLookup: ({ id }) => limitAccount(apiRequest.request, {}, id),
      ...checksOf(tokenUses, presented, account),
    };
  }

  async function run(
    tool: Tool,
    request: ExecuteRequest,
    { apiRequest, isDry }: AgentCall,
  ): Promise<Outcome> {
    if (isDry) return { plan: await dryRun(request) };
    const closed = Promise.withResolvers<void>();
    apiRequest.onClose(closed.resolve);
    const { data } = await execute({ ...request, whenSent: closed.promise });
    const hint = nextPageHint(catalog.selectVersion(tool).paging, data);
    return { data, isWrapped: describeTool(tool).isWrapped, hint };
  }

  /** Runs one of the tools that the client's token allows. Never rejects: errors become a `Failure` for the model. */
  async function callTool(tool: Tool, agentCall: AgentCall): Promise<Outcome> {
    const { toolset, apiRequest, isDry, room, onProgress } = agentCall;
    const { identifier, presented } = toolset;
    const { applicationId } = presented;
    const failedCall: FailedCall = {
      toolName: tool.name,
      isReadOnly: isDry || tool.hints.readOnly,
      requestId: apiRequest.id,
      applicationId,
    };
    let request: ExecuteRequest;
    try {
      request = toRequest(tool, agentCall);
    } catch (error) {
      if (!isDry) recordRefused(apiRequest, error, { toolName: tool.name, identifier });
      return describeFailure(error, failedCall);
    }
    try {
      const { connectionName = '', account: label } = request;
      // The error of a dry run contains no authorization link, because creating that link also creates an account.
      const account = isDry ? undefined : { connectionName, identifier, account: label };
      const running = run(tool, request, agentCall).catch((error: unknown) =>
        describeFailure(error, { ...failedCall, account }),
      );
      room.reserveDuring(running);
      if (isDry || !tool.hints.longRunning) return await running;
      const subject = { toolName: tool.name, connectionName, account: label };
      return await jobs.wait(running, { applicationId, identifier }, { subject, onProgress });
    } catch (error) {
      return describeFailure(error, failedCall);
    }
  }

  return callTool;
}

export type CallTool = ReturnType<typeof createCallTool>;

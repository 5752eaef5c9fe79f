import {
  type Catalog,
  InvalidInputError,
  nextInput,
  type Tool,
  type ToolCall,
  type ToolVersion,
  UnknownVersionError,
} from '@svc/catalog';
import { replyProblems, toSent } from './check-reply.js';
import { exampleData } from './example-data.js';
import type { FailureCode } from './failures.js';
import type { FakeAccounts, GivenAccount } from './fake-accounts.js';
import type { Failing, FakeCall, Outcome, PlannedTool, Replying } from './fake-tool.js';
import { Mistake } from './mistake.js';
import { type FakeResponse, failed, newId, succeeded } from './responses.js';

/** Request body of a tool call, as the client sends it. */
interface ToolBody extends GivenAccount, ToolCall {
  readonly dryRun?: boolean;
}

/** Tool call that the fake service has received. */
export interface SentCall {
  readonly toolName: string;
  readonly body: ToolBody;
  readonly idempotencyKey: string | undefined;
}

export interface ToolParts {
  readonly catalog: Catalog;
  /** Fake tools with their planned outcomes, by tool name. */
  readonly planned: ReadonlyMap<string, PlannedTool>;
  readonly accounts: FakeAccounts;
}

/** Advice in errors about features that the fake service does not support. */
export const USE_SERVICE = 'Use startService() of @svc/testing/service.';

interface PlannedCall {
  readonly version: ToolVersion;
  readonly call: FakeCall<unknown>;
  /** Successful outcome that the test planned for this call. Absent if it planned none. */
  readonly outcome: Replying | undefined;
}

interface Planned {
  readonly tool: Tool;
  readonly plan: PlannedTool;
}

const isFailing = (outcome: Outcome | undefined): outcome is Failing =>
  outcome !== undefined && 'code' in outcome;

const HOUR_MS = 3_600_000;

/** Returns the error details that the real service would add for this error code. */
function ownDetails(code: FailureCode, { connector }: Tool, given: GivenAccount): object {
  // Invents names for an account that is only known by its id, so that the tested code can request an authorization
  // link.
  const { connectedAccountId = '', connectionName = connector, identifier = connectedAccountId } = given;
  if (code === 'account_not_authorized') {
    const path = `/v1/connections/${encodeURIComponent(connectionName)}/accounts/${encodeURIComponent(identifier)}/authorization-link`;
    const { account } = given;
    const query = account ? `?account=${encodeURIComponent(account)}` : '';
    return { connectionName, identifier, ...(account && { account }), authorizationLinkPath: path + query };
  }
  if (code !== 'approval_required') return {};
  const expiresAt = new Date(Date.now() + HOUR_MS).toISOString();
  return { id: 'appr_fake', link: 'http://svc.test/approve/appr_fake', expiresAt };
}

function fail(failing: Failing, { tool, plan }: Planned, account: GivenAccount): FakeResponse {
  const {
    code,
    message = `${plan.label} fails with ${code}, because the test planned it. Handle this error, or change the plan.`,
    details,
  } = failing;
  return failed({ code, message, details: { ...ownDetails(code, tool, account), ...details } });
}

const isGiven = (text: string | undefined): boolean => text !== undefined && text !== '';

/**
 * Throws a `Mistake` unless the call contains only an account id, or a connection name and a user identifier. A label
 * belongs to a name.
 */
function checkAccount({ plan }: Planned, body: ToolBody): void {
  const { connectedAccountId, connectionName, identifier, account } = body;
  const hasName = isGiven(connectionName) && isGiven(identifier);
  const hasNamePart = [connectionName, identifier, account].some((part) => part !== undefined);
  const isById = isGiven(connectedAccountId) && !hasNamePart;
  if (connectedAccountId === undefined ? hasName : isById) return;
  const message = `The call of ${plan.label} names no account, or two. Give connectedAccountId, or connectionName and identifier.`;
  throw new Mistake('invalid_request', message);
}

/**
 * Selects the tool version to run. Throws a `Mistake` if the call requests an unknown version or has an invalid input.
 */
function chooseVersion(catalog: Catalog, { tool, plan }: Planned, body: ToolBody): ToolVersion {
  try {
    return catalog.resolveCall(tool, body).version;
  } catch (cause) {
    if (cause instanceof InvalidInputError) {
      const problems = cause.errors.map(({ message }) => message).join('; ');
      const details = { errors: cause.errors };
      throw new Mistake(
        'invalid_input',
        `The call of ${plan.label} has an invalid input. Correct it: ${problems}.`,
        {
          details,
          cause,
        },
      );
    }
    if (!(cause instanceof UnknownVersionError)) throw cause;
    const details = { available: cause.available };
    throw new Mistake(
      'unknown_version',
      `The call of ${plan.label} has an unknown version. Correct it: ${cause.message}`,
      {
        details,
        cause,
      },
    );
  }
}

/**
 * Returns the reply that the test planned, as JSON data. Throws a `Mistake` if the test's function throws, or if JSON
 * cannot represent the reply.
 */
async function makeReply(
  { data }: Replying,
  { label }: PlannedTool,
  call: FakeCall<unknown>,
): Promise<unknown> {
  try {
    // Passes a copy of the call, so that the function cannot change the recorded call.
    return toSent(await data(structuredClone(call)));
  } catch (cause) {
    throw new Mistake(
      'internal_error',
      `The function passed to ${label}.replies() threw. Correct it: ${cause}`,
      {
        cause,
      },
    );
  }
}

/**
 * Returns the planned reply of the call, or the data of the tool's example if none is planned. Throws a `Mistake` if
 * the data does not match the tool's output schema.
 */
async function replyOf(catalog: Catalog, { tool, plan }: Planned, planned: PlannedCall): Promise<unknown> {
  const { version, call, outcome } = planned;
  if (outcome === undefined) {
    const example = exampleData(catalog, tool, version);
    if (example !== undefined) return example;
    throw new Mistake('internal_error', `${plan.label} has no example. Plan its data with .replies().`);
  }
  const data = await makeReply(outcome, plan, call);
  const problems = replyProblems(catalog, tool, { version, data });
  if (problems === '') return data;
  throw new Mistake(
    'internal_error',
    `The planned reply of ${plan.label} does not match its output schema. Correct the reply: ${problems}.`,
  );
}

/**
 * Creates the function that responds to tool calls like the service, with the outcomes that the test planned. Throws
 * a `Mistake` for errors in the test or the call.
 */
export function createToolResponder({ catalog, planned, accounts }: ToolParts) {
  function find(name: string): Planned {
    const [tool, plan] = [catalog.tools.get(name), planned.get(name)];
    if (tool !== undefined && plan !== undefined) return { tool, plan };
    throw new Mistake(
      'tool_not_found',
      `The tool "${name}" is not in the catalogue of the fake. Correct the name, or add its folder to catalog.`,
    );
  }

  return async ({ toolName, body, idempotencyKey }: SentCall): Promise<FakeResponse> => {
    const target = find(toolName);
    const { plan } = target;
    const { toolInput: input, connectedAccountId, connectionName, identifier, account: label } = body;
    if (body.dryRun)
      throw new Mistake('invalid_request', `${plan.label} does not support dry runs. ${USE_SERVICE}`);
    const account = accounts.nameOf({
      connectedAccountId,
      connectionName,
      identifier,
      account: label || undefined,
    });
    const outcome = plan.next();
    const call = { input, ...account, idempotencyKey };
    const record = () => plan.calls.push(call);
    if (isFailing(outcome)) {
      // Skips a check of the call if the test planned an error with the code of this check. The planned error is the
      // response then, so the call may be wrong.
      if (outcome.code !== 'invalid_request') checkAccount(target, body);
      if (outcome.code !== 'invalid_input') chooseVersion(catalog, target, body);
      record();
      return fail(outcome, target, account);
    }
    checkAccount(target, body);
    const version = chooseVersion(catalog, target, body);
    record();
    const data = await replyOf(catalog, target, { version, call, outcome });
    const { schema_version: schemaVersion, tool_version: toolVersion } = version;
    return succeeded({
      data,
      nextInput: nextInput(version.paging, data),
      schemaVersion,
      toolVersion,
      executionId: newId('exec'),
    });
  };
}

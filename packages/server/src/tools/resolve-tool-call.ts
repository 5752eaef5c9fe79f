import {
  type Catalog,
  type Connector,
  type ResolvedCall,
  type Tool,
  UnknownVersionError,
} from '@svc/catalog';
import type { AccountReference, Resolve } from '../connections/resolve.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { invalidInput, ServiceError } from '../errors.js';
import { didYouMean } from '../text/did-you-mean.js';
import type { AllowedCall } from '../tokens/token-uses.js';
import type { ExecuteRequest } from './execute-request.js';
import { fromCatalogError } from './run-requests.js';

/** Finds a tool by its name. Throws tool_not_found. */
export function findTool({ tools }: Pick<Catalog, 'tools'>, name: string): Tool {
  const tool = tools.get(name);
  if (tool) return tool;
  throw new ServiceError(
    'tool_not_found',
    `There is no tool "${name}".${didYouMean(name, tools.keys())} GET /v1/tools lists the tools.`,
  );
}

const noAccount = () =>
  new ServiceError(
    'invalid_request',
    'The request does not name the connected account. Send "connectedAccountId". Or send both "connectionName" and "identifier", with "account" if the user has several accounts.',
  );

const twoAccounts = () =>
  new ServiceError(
    'invalid_request',
    'The request names the connected account twice. Send "connectedAccountId" alone, or send "connectionName", "identifier" and "account" without it.',
  );

/** Creates the error for a tool call whose account belongs to a different connector than the tool. */
function wrongConnector(
  { name, connector }: Tool,
  { connectedAccountId }: AccountReference,
  actual: string,
): ServiceError {
  const field = connectedAccountId === undefined ? 'connectionName' : 'connectedAccountId';
  const message = `The tool "${name}" needs an account of the connector "${connector}", but this account belongs to the connector "${actual}". Send another account.`;
  return invalidInput(field, 'connector', message);
}

/**
 * Finds the connected account that the call of `tool` names. Returns it without a promise if it is cached. Throws
 * invalid_request if the request names no account or two, invalid_input if an account without authorization belongs to
 * a different connector, because its consent would not help, and the errors of `resolve`.
 */
export function findCallerAccount(
  resolve: Resolve,
  caller: Pick<ExecuteRequest, 'applicationId' | 'checkAccount' | keyof AccountReference>,
  tool: Tool,
): ResolvedAccount | Promise<ResolvedAccount> {
  const { applicationId, connectedAccountId, connectionName, identifier, account, checkAccount } = caller;
  const refuse = (error: unknown): never => {
    if (!(error instanceof ServiceError)) throw error;
    const { account: refused, connector = tool.connector } = error;
    if (connector === tool.connector) throw error;
    const wrong = wrongConnector(tool, caller, connector);
    if (refused !== undefined) wrong.account = refused;
    throw wrong;
  };
  // A cached account is authorized, so only a read can be refused.
  const orRefuse = (found: ResolvedAccount | Promise<ResolvedAccount>) =>
    found instanceof Promise ? found.catch(refuse) : found;
  if (connectedAccountId !== undefined) {
    if (connectionName !== undefined || identifier !== undefined || account !== undefined)
      throw twoAccounts();
    return orRefuse(resolve.byId(applicationId, connectedAccountId, checkAccount));
  }
  if (connectionName === undefined || identifier === undefined) throw noAccount();
  return orRefuse(resolve.byName(applicationId, { connectionName, identifier, account }, checkAccount));
}

/** Returns the connector of the tool. Throws invalid_input if the connected account belongs to another connector. */
export function connectorOf(
  { connectors }: Catalog,
  tool: Tool,
  { account, caller }: { readonly account: ResolvedAccount; readonly caller: AccountReference },
): Connector {
  const connector = connectors.get(tool.connector);
  if (connector !== undefined && account.connector === connector.id) return connector;
  throw wrongConnector(tool, caller, account.connector);
}

/** Selects the tool version of the request and validates the tool input. Throws unknown_version or invalid_input. */
export function resolveVersion(
  catalog: Catalog,
  tool: Tool,
  request: Parameters<Catalog['resolveCall']>[1],
): ResolvedCall {
  try {
    return catalog.resolveCall(tool, request);
  } catch (error) {
    if (error instanceof UnknownVersionError) {
      const { message, available } = error;
      throw new ServiceError('unknown_version', message, { available }, { cause: error });
    }
    throw fromCatalogError(error);
  }
}

/** Tool call that passed all checks before the tool runs. */
interface CheckedToolCall extends ResolvedCall {
  readonly connector: Connector;
  /** Decision of the caller's token. Absent without a token. */
  readonly allowed: AllowedCall | undefined;
}

/**
 * Checks a tool call before anything is sent, for an account that `findCallerAccount` found: the rate limit of the
 * account, the connector, the version, the input, and the limits of the caller's token.
 */
export function checkToolCall(
  catalog: Catalog,
  request: ExecuteRequest,
  { tool, account }: { readonly tool: Tool; readonly account: ResolvedAccount },
): CheckedToolCall {
  request.onAccount?.(account);
  const connector = connectorOf(catalog, tool, { account, caller: request });
  const call = resolveVersion(catalog, tool, request);
  const { name, hints } = tool;
  const allowed = request.checkCall?.({ account, tool: { name, hints, input: call.input } });
  return { ...call, connector, allowed };
}

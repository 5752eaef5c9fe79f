import type { Connector } from '@svc/catalog';
import { type Catalog, type ResolvedCall, type Tool, UnknownVersionError } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { AccountReference, CheckAccount, Resolve, ResolvedAccount } from '../upstream/forward.js';
import { toServiceError } from './run-requests.js';

/** Finds a tool by its name. Throws tool_not_found. */
export function findTool({ tools }: Catalog, name: string): Tool {
  const tool = tools.get(name);
  if (tool) return tool;
  throw new ServiceError('tool_not_found', `There is no tool "${name}". GET /v1/tools lists the tools.`);
}

interface CallerAccount extends AccountReference {
  readonly applicationId: string;
  readonly checkAccount?: CheckAccount | undefined;
}

const unclear = () =>
  new ServiceError(
    'invalid_request',
    'The account of the call is missing or ambiguous. Send only "connectedAccountId". Or send "connectionName" and "identifier", with "account" if the user has several accounts.',
  );

/** Creates the error for a tool call whose account belongs to a different connector than the tool. */
function wrongConnector(
  { name, connector }: Tool,
  { connectedAccountId }: AccountReference,
  actual: string,
): ServiceError {
  const field = connectedAccountId === undefined ? 'connectionName' : 'connectedAccountId';
  const message = `"${name}" needs an account of "${connector}", but this account belongs to "${actual}". Send another account.`;
  return new ServiceError('invalid_input', message, { errors: [{ field, rule: 'connector', message }] });
}

/**
 * Finds the connected account that the call of `tool` names. Returns it without a promise if it is cached. Throws
 * invalid_request if the request names no account or two, invalid_input if an account without authorization belongs to
 * a different connector, because its consent would not help, and the errors of `resolve`.
 */
export function findCallerAccount(
  resolve: Resolve,
  caller: CallerAccount,
  tool: Tool,
): ResolvedAccount | Promise<ResolvedAccount> {
  const { applicationId, connectedAccountId, connectionName, identifier, account, checkAccount } = caller;
  const refuse = (error: unknown): never => {
    if (!(error instanceof ServiceError)) throw error;
    const { accountId, connector = tool.connector } = error;
    if (connector === tool.connector) throw error;
    const wrong = wrongConnector(tool, caller, connector);
    if (accountId !== undefined) wrong.accountId = accountId;
    throw wrong;
  };
  if (connectedAccountId !== undefined) {
    if (connectionName !== undefined || identifier !== undefined || account !== undefined) throw unclear();
    return (
      resolve.cachedById(applicationId, connectedAccountId) ??
      resolve.byId(applicationId, connectedAccountId, checkAccount).catch(refuse)
    );
  }
  if (connectionName === undefined || identifier === undefined) throw unclear();
  const name = { connectionName, identifier, account };
  return (
    resolve.cached(applicationId, name) ?? resolve.byName(applicationId, name, checkAccount).catch(refuse)
  );
}

/**
 * Returns the connector of the tool. Throws invalid_input if the connected account belongs to a different connector.
 */
export function connectorOf(
  { connectors }: Catalog,
  tool: Tool,
  { account, caller }: { readonly account: ResolvedAccount; readonly caller: AccountReference },
): Connector {
  const connector = connectors.get(tool.connector);
  if (connector !== undefined && account.connector === connector.id) return connector;
  throw wrongConnector(tool, caller, account.connector);
}

/**
 * Selects the tool version of the request and validates the tool input. Throws unknown_version or
 * invalid_input.
 */
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
    throw toServiceError(error);
  }
}

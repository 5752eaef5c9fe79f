import type { TokenLimits } from '../tokens/token-limits.js';
import type { GrantRequest } from './grant-request.js';

/** Connections and limits that a user left selected on the consent page. */
export interface ConsentChoices {
  /** Names of the connections that the client may use. */
  readonly connections: readonly string[];
  /** True if the client may also use services that the user connects later. */
  readonly includesLater: boolean;
  /** True if the client may also call tools that change data. False: only tools that read. */
  readonly mayChange: boolean;
}

/** Maximum number of connection names in one `connections` limit of a token. */
const MAX_NAMES = 200;

/**
 * Returns the token limits that the user's choices on the consent page add to the grant. The choices can only leave out
 * parts of what the page offered. Returns `undefined` if nothing is selected, which is a denial.
 */
export function limitsOf(
  { services, unconnected }: Pick<GrantRequest, 'services' | 'unconnected'>,
  { connections, includesLater, mayChange }: ConsentChoices,
): readonly TokenLimits[] | undefined {
  const offered = services.map(({ connectionName }) => connectionName);
  const chosen = offered.filter((name) => connections.includes(name));
  if (chosen.length === 0 && !includesLater) return undefined;
  const readOnly = mayChange ? [] : [{ readOnly: true as const }];
  if (includesLater && chosen.length === offered.length) return readOnly;
  const withLater = includesLater ? [...chosen, ...unconnected] : chosen;
  return [{ connections: withLater.length <= MAX_NAMES ? withLater : chosen }, ...readOnly];
}

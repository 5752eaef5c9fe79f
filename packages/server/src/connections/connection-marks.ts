import { ServiceError } from '../errors.js';
import type { OAuthError } from '../oauth/oauth-error.js';
import type { Commit } from '../records/commit.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Backoff } from './backoff.js';

export interface ConnectionMarksParts {
  readonly commit: Commit;
  readonly backoff: Backoff;
}

interface RefusedConnection {
  readonly connection: ConnectionRow;
  /**
   * True if the connection's status was already set to `invalid_client` before a new OAuth client was registered, which
   * the server then refused too.
   */
  readonly isMarked: boolean;
}

// Key of the connection in the backoff for refused token requests. It contains `updatedAt`, so that the backoff
// restarts when the settings change.
const keyOf = ({ id, updatedAt }: ConnectionRow): string => `${id} ${updatedAt}`;

const connectionRefused = ({ name }: ConnectionRow, cause?: OAuthError): ServiceError =>
  new ServiceError(
    'connection_not_configured',
    `The authorization server refuses the client id and secret of the connection "${name}". Correct both with PATCH /v1/connections/${name}.`,
    { connectionName: name, statusReason: 'invalid_client' },
    { cause },
  );

/**
 * Creates the functions that set and clear a connection's status `invalid_client`. The status means that the
 * authorization server refuses the connection's OAuth client.
 */
export function createConnectionMarks({ commit, backoff }: ConnectionMarksParts) {
  /**
   * Throws connection_not_configured during the backoff after the authorization server refused the connection's OAuth
   * client.
   */
  function check(connection: ConnectionRow): void {
    if (backoff.waitOf(keyOf(connection)) > 0) throw connectionRefused(connection);
  }

  /**
   * Sets the connection's status to `invalid_client`, because the server refused its OAuth client. Sets no status if the
   * connection was changed since. The accounts keep their status (rule R8 in security-rules.md). Always throws
   * connection_not_configured.
   */
  async function refuse({ connection, isMarked }: RefusedConnection, cause: OAuthError): Promise<never> {
    const { applicationId, id } = connection;
    await commit(async (tables, audit) => {
      const isNews = await tables.connections.mark(connection, 'invalid_client');
      if (!isNews && !isMarked) return;
      const reason = cause.error;
      audit({ action: 'connection.refused_by_upstream', applicationId, object: id, reason });
    });
    // Concurrent refused token requests count as one failure, so that the backoff does not grow too fast.
    if (backoff.waitOf(keyOf(connection)) === 0) backoff.fail(keyOf(connection), 0);
    throw connectionRefused(connection, cause);
  }

  /**
   * Clears the connection's status `invalid_client`, because the authorization server accepted its OAuth client.
   * `marked`: the connection with that status, if `connection` was read before the status was set.
   */
  async function accept(connection: ConnectionRow, marked = connection): Promise<void> {
    backoff.succeed(keyOf(connection));
    const { applicationId, id, statusReason } = marked;
    if (statusReason === null) return;
    await commit(async (tables, audit) => {
      if (!(await tables.connections.change(marked, { statusReason: null }))) return;
      audit({
        action: 'connection.changed',
        applicationId,
        object: id,
        reason: 'accepted_by_upstream',
      });
    });
  }

  return { check, refuse, accept };
}

export type ConnectionMarks = ReturnType<typeof createConnectionMarks>;

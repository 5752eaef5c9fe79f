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
  /** True if the status is `invalid_client` already, because the OAuth client was registered again. */
  readonly isMarked: boolean;
}

// Key that counts the connection's refused token requests. `updatedAt` is part of it, so that changed settings start at
// zero.
const keyOf = ({ id, updatedAt }: ConnectionRow): string => `${id} ${updatedAt}`;

const connectionRefused = ({ name }: ConnectionRow, cause?: OAuthError): ServiceError =>
  new ServiceError(
    'connection_not_configured',
    `The authorization server of "${name}" does not accept the connection's client id and secret. Correct both with PATCH /v1/connections/${name}.`,
    { connectionName: name, statusReason: 'invalid_client' },
    { cause },
  );

/** Creates the status of connections whose OAuth client the authorization server refuses. */
export function createConnectionMarks({ commit, backoff }: ConnectionMarksParts) {
  /** Throws connection_not_configured shortly after the server refused the connection's OAuth client. */
  function check(connection: ConnectionRow): void {
    if (backoff.waitOf(keyOf(connection)) > 0) throw connectionRefused(connection);
  }

  /**
   * Sets the connection's status to `invalid_client`, because the server refused its OAuth client. The accounts keep
   * their status (rule R8 in security-rules.md). Always throws connection_not_configured.
   */
  async function refuse({ connection, isMarked }: RefusedConnection, cause: OAuthError): Promise<never> {
    const { applicationId, id } = connection;
    await commit(async (tables, recordEvent) => {
      const isNews = await tables.connections.mark(applicationId, id, 'invalid_client');
      if (!isNews && !isMarked) return;
      const reason = cause.error;
      recordEvent({ action: 'connection.refused_by_upstream', applicationId, object: id, reason });
    });
    // Concurrent refused requests count as one failure of the connection, so that the backoff does not grow too fast.
    if (backoff.waitOf(keyOf(connection)) === 0) backoff.fail(keyOf(connection), 0);
    throw connectionRefused(connection, cause);
  }

  /**
   * Clears the status after the server accepted the OAuth client. `marked`: the connection after `refuse`, if newer.
   */
  async function accept(connection: ConnectionRow, marked = connection): Promise<void> {
    backoff.succeed(keyOf(connection));
    const { applicationId, id, statusReason } = marked;
    if (statusReason === null) return;
    await commit(async (tables, recordEvent) => {
      await tables.connections.update(applicationId, id, { statusReason: null });
      recordEvent({
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

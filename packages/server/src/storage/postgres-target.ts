export interface PostgresTarget {
  readonly host: string;
  /** True when `host` is the directory of a Unix socket, not a host name. */
  readonly isSocket: boolean;
  /** True when the connection to the database uses TLS and verifies the server certificate. */
  readonly isProtected: boolean;
}

/**
 * Parses a database URL as the driver `pg` does, because its query may also set the host, `sslmode` and more. Opens no
 * connection.
 */
export async function readPostgresTarget(url: string): Promise<PostgresTarget> {
  // The driver `pg` is imported on demand, so that a service on SQLite never loads it.
  const { Client } = await import('pg');
  const { host, ssl }: { host: string; ssl: unknown } = new Client({ connectionString: url });
  const skipsVerifying =
    typeof ssl === 'object' &&
    ssl !== null &&
    'rejectUnauthorized' in ssl &&
    ssl.rejectUnauthorized === false;
  return { host, isSocket: host.startsWith('/'), isProtected: Boolean(ssl) && !skipsVerifying };
}

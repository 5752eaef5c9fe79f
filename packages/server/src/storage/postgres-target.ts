export interface PostgresTarget {
  readonly host: string;
  /** True if `host` is the folder of a Unix socket and not a host name. */
  readonly isSocket: boolean;
  /** True if the connection to the database uses TLS and verifies the server's certificate. */
  readonly isProtected: boolean;
}

/**
 * Parses a database URL as the driver `pg` does, because its query may also set the host, `sslmode` and more. Opens no
 * connection.
 */
export async function readPostgresTarget(url: string): Promise<PostgresTarget> {
  // Imports the driver `pg` only here, so that a service with SQLite never loads it.
  const { Client } = await import('pg');
  const { host, ssl }: { host: string; ssl: unknown } = new Client({ connectionString: url });
  const skipsVerifying =
    typeof ssl === 'object' &&
    ssl !== null &&
    'rejectUnauthorized' in ssl &&
    ssl.rejectUnauthorized === false;
  return { host, isSocket: host.startsWith('/'), isProtected: Boolean(ssl) && !skipsVerifying };
}

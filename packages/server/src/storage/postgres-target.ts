export interface PostgresTarget {
  readonly host: string;
  /** Reached through the file system. */
  readonly isSocket: boolean;
  /** By TLS, with a certificate that is verified. */
  readonly isProtected: boolean;
}

/** Where a URL leads, as the driver reads it: a host, `sslmode` and others may stand in its query too. Connects to nothing. */
export async function readPostgresTarget(url: string): Promise<PostgresTarget> {
  // Who stays with SQLite does not load it.
  const { Client } = await import('pg');
  const { host, ssl }: { host: string; ssl: unknown } = new Client({ connectionString: url });
  const skipsVerifying =
    typeof ssl === 'object' &&
    ssl !== null &&
    'rejectUnauthorized' in ssl &&
    ssl.rejectUnauthorized === false;
  return { host, isSocket: host.startsWith('/'), isProtected: Boolean(ssl) && !skipsVerifying };
}

export interface PostgresTarget {
  readonly host: string;
  /** True when `host` is the folder of a socket. */
  readonly isSocket: boolean;
  /** True with TLS and a verified certificate. */
  readonly isProtected: boolean;
}

/** Reads the target of a URL as the driver does: its query may name a host, `sslmode` and more. Connects to nothing. */
export async function readPostgresTarget(url: string): Promise<PostgresTarget> {
  // Loaded here, so that a service on SQLite never loads it.
  const { Client } = await import('pg');
  const { host, ssl }: { host: string; ssl: unknown } = new Client({ connectionString: url });
  const skipsVerifying =
    typeof ssl === 'object' &&
    ssl !== null &&
    'rejectUnauthorized' in ssl &&
    ssl.rejectUnauthorized === false;
  return { host, isSocket: host.startsWith('/'), isProtected: Boolean(ssl) && !skipsVerifying };
}

export interface PostgresUrl {
  /** Host with its port, or the folder of a Unix socket. */
  readonly host: string;
  readonly database: string;
}

const QUERY = /\?(.*)$/s;

/**
 * Parses a PostgreSQL connection URL like the driver: `?host=` may name the host or the folder of a Unix socket.
 * `undefined` for any other text.
 */
export function readPostgresUrl(text: string): PostgresUrl | undefined {
  const parsed = URL.parse(text);
  // A URL with a user and no host is invalid, but common for Unix sockets. A placeholder host makes it parse.
  const url = parsed ?? URL.parse(text.replace('@/', '@socket/'));
  if (url === null || !/^postgres(ql)?:\/\//.test(text)) return undefined;
  const host = url.searchParams.get('host') ?? parsed?.host ?? '';
  const database = url.pathname.slice(1);
  return host === '' || database === '' ? undefined : { host, database };
}

/**
 * Adds settings for each database session to the `options` of a connection URL. Includes `PGOPTIONS`, which the driver
 * ignores when the URL has `options`.
 */
export function withSessionSettings(text: string, settings: readonly string[]): string {
  const query = new URLSearchParams(QUERY.exec(text)?.[1]);
  const given = query.get('options') ?? process.env['PGOPTIONS'] ?? [];
  const options = [given, settings.map((setting) => `-c ${setting.replaceAll(' ', '')}`)].flat();
  if (options.length > 0) query.set('options', options.join(' '));
  return `${text.replace(QUERY, '')}?${query}`;
}

export interface PostgresUrl {
  /** Host with its port, or the folder of a socket. */
  readonly host: string;
  readonly database: string;
}

const QUERY = /\?(.*)$/s;

/** Reads a connection URL as the driver does: `?host=` may name the host, or the folder of a socket. `undefined` for any other text. */
export function readPostgresUrl(text: string): PostgresUrl | undefined {
  const named = URL.parse(text);
  // A URL with a user and without a host is invalid, but common for sockets.
  const url = named ?? URL.parse(text.replace('@/', '@socket/'));
  if (url === null || !/^postgres(ql)?:\/\//.test(text)) return undefined;
  const host = url.searchParams.get('host') ?? named?.host ?? '';
  const database = url.pathname.slice(1);
  return host === '' || database === '' ? undefined : { host, database };
}

/** Adds settings for each session to the `options` of a URL, or to those of `PGOPTIONS`, which the driver would otherwise drop. */
export function withSessionSettings(text: string, settings: readonly string[]): string {
  const query = new URLSearchParams(QUERY.exec(text)?.[1]);
  const given = query.get('options') ?? process.env['PGOPTIONS'] ?? [];
  const options = [given, settings.map((setting) => `-c ${setting.replaceAll(' ', '')}`)].flat();
  if (options.length > 0) query.set('options', options.join(' '));
  return `${text.replace(QUERY, '')}?${query}`;
}

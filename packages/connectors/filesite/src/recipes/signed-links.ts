import { type AccountName, ServiceError } from '@svc/core';
import type { RecipeClient } from './requests.js';

/** Throws `link_refused` for a signed URL whose host is not a file host of the upstream. */
export type CheckLink = (url: string) => Promise<void>;

// Domains on which the upstream stores files and accepts uploads.
const FILE_DOMAINS = ['sharepoint.com'];

const isOfDomain = (
  { protocol, port, username, password, hostname }: URL,
  domains: readonly string[],
): boolean =>
  protocol === 'https:' &&
  `${port}${username}${password}` === '' &&
  domains.some((domain) => hostname.endsWith(`.${domain}`));

const LOOPBACK = ['127.0.0.1', 'localhost'];

// True if a URL has the origin of the connection's API. Treats `localhost` and `127.0.0.1` as equal, because the
// sandbox may use either name for its files.
function hasOriginOf(url: URL, own: URL): boolean {
  if (url.username !== '' || url.password !== '') return false;
  if (url.origin === own.origin) return true;
  const areLoopback = LOOPBACK.includes(url.hostname) && LOOPBACK.includes(own.hostname);
  return areLoopback && url.protocol === own.protocol && url.port === own.port;
}

const refused = (): ServiceError =>
  new ServiceError({
    code: 'link_refused',
    message:
      'The link to the file has an unknown host, so nothing was sent to it. If you trust the host, add its domain to fileDomains.',
  });

/**
 * Creates a check of signed URLs that accepts only the upstream's own file hosts. Other URLs in a response could
 * point to hosts in your internal network.
 */
export function checkLinks(
  client: RecipeClient,
  { connectionName }: AccountName,
  domains: readonly string[] = FILE_DOMAINS,
): CheckLink {
  let own: Promise<URL | undefined> | undefined;
  // Reads the base URL of the connection. `null` means the default upstream. Another upstream, such as the sandbox,
  // serves files on the origin of its API.
  const readOwn = async (): Promise<URL | undefined> => {
    const path = `/v1/connections/${encodeURIComponent(connectionName)}`;
    const { baseUrl } = await client.call<{ baseUrl: string | null }>({ method: 'GET', path });
    return baseUrl === null ? undefined : new URL(baseUrl);
  };
  return async (link) => {
    const url = URL.canParse(link) ? new URL(link) : undefined;
    if (url === undefined) throw refused();
    if (isOfDomain(url, domains)) return;
    own ??= readOwn();
    const base = await own.catch(() => {
      own = undefined;
    });
    if (base === undefined || !hasOriginOf(url, base)) throw refused();
  };
}

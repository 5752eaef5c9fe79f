import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../clock.js';
import { randomToken } from '../../identifiers.js';
import { isObject, parseJson } from '../../json.js';
import type { ItemRecord, SiteRecord } from './state.js';

export const DOWNLOAD_PATH = '/_layouts/15/download.aspx';
const HOUR = 3600 * 1000;

/** Signed download links. Each link grants read access to one file for an hour, without a token. */
export type Links = ReturnType<typeof createLinks>;

export function createLinks(baseUrl: string, clock: Clock) {
  let key = randomBytes(32);
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const queryOf = (itemId: string, ticket: string) =>
    `UniqueId=${itemId}&Translate=false&tempauth=v1.${ticket}.${sign(itemId + ticket)}&ApiVersion=2.0`;
  return {
    to(personId: string, site: SiteRecord, item: ItemRecord): string {
      const claims = { personId, siteId: site.id, itemId: item.id, until: clock.now() + HOUR };
      const ticket = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return `${baseUrl}${DOWNLOAD_PATH}?${queryOf(item.id, ticket)}`;
    },
    /** Verifies a download link and returns the ids of its file. Returns undefined for an expired or modified link. */
    open(query: string) {
      const ticket = /&tempauth=v1\.([\w-]+)\./.exec(query)?.[1] ?? '';
      const claims = parseJson(Buffer.from(ticket, 'base64url').toString('utf8'));
      if (!isObject(claims)) return undefined;
      const { personId, siteId, itemId, until } = claims;
      if (!isSame(query, queryOf(String(itemId), ticket)) || clock.now() > Number(until)) return undefined;
      return { personId: String(personId), siteId: String(siteId), itemId: String(itemId) };
    },
    reset() {
      key = randomBytes(32);
    },
  };
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Progress URLs of long-running operations. The sandbox reports every operation as completed immediately. */
export type Monitors = ReturnType<typeof createMonitors>;

export const MONITOR_PATH = '/_api/v2.0/monitor/';

export function createMonitors(baseUrl: string) {
  const known = new Map<string, { readonly resourceId: string }>();
  return {
    open(resourceId: string): string {
      const token = `4A3407B5-${randomToken(16)}`;
      known.set(token, { resourceId });
      return `${baseUrl}${MONITOR_PATH}${token}`;
    },
    find: (token: string) => known.get(token),
    reset: () => known.clear(),
  };
}

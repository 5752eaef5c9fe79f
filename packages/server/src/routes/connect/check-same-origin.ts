import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';

/** Browsers since 2023 send Sec-Fetch-Site, and `null` as the origin of a page without a referrer. Older ones send Origin alone. */
function isSameOrigin(
  { 'sec-fetch-site': site, origin }: FastifyRequest['headers'],
  environmentUrl: string,
): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined || origin === new URL(environmentUrl).origin;
}

/** Refuses forms of other sites. This is the second check: SameSite=Lax keeps the cookie from such forms already. */
export function checkSameOrigin(
  { headers }: FastifyRequest,
  { environmentUrl, reason }: { readonly environmentUrl: string; readonly reason: string },
): void {
  if (isSameOrigin(headers, environmentUrl)) return;
  throw new ServiceError(
    'forbidden',
    'This form was sent by another site. Open the link itself and continue there.',
    { reason },
  );
}

import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';

/**
 * Returns true for a form from a page of this service. Sec-Fetch-Site decides if present, because browsers send
 * `Origin: null` for pages without a referrer. Browsers older than 2023 send only Origin.
 */
function isSameOrigin(
  { 'sec-fetch-site': site, origin }: FastifyRequest['headers'],
  environmentUrl: string,
): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined || origin === new URL(environmentUrl).origin;
}

/**
 * Refuses forms that another site sent (CSRF). This check is a second barrier, because browsers already omit a
 * SameSite=Lax cookie from such forms.
 */
export function checkSameOrigin(
  { headers }: FastifyRequest,
  { environmentUrl, reason }: { readonly environmentUrl: string; readonly reason: string },
): void {
  if (isSameOrigin(headers, environmentUrl)) return;
  throw new ServiceError(
    'forbidden',
    'A page of another site sent this form, so nothing was changed. Open the link that you received, and continue on its page.',
    { reason },
  );
}

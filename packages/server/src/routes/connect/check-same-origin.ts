import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';

// The cookie is not sent with another site's form (SameSite=Lax); this is the second wall, where browsers say who asks.
export function checkSameOrigin({ headers }: FastifyRequest, reason: string): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw new ServiceError(
    'forbidden',
    'This form was sent by another site. Open the link itself and continue there.',
    { reason },
  );
}

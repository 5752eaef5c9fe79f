import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';

/** Refuses forms of other sites. This is the second check: SameSite=Lax keeps the cookie from such forms already. */
export function checkSameOrigin({ headers }: FastifyRequest, reason: string): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw new ServiceError(
    'forbidden',
    'This form was sent by another site. Open the link itself and continue there.',
    { reason },
  );
}

import type { KyselyPlugin } from 'kysely';
import { ServiceError } from '../errors.js';

/** The application that asks; `undefined` where somebody else does, such as an operator or the service itself. */
export type OwnApplication = () => string | undefined;

const isForeign = (row: object, own: string): boolean =>
  'applicationId' in row && row.applicationId !== null && row.applicationId !== own;

/**
 * Rule A2: the second wall. A query that forgets its application gets no row of another one, and what it wrote is undone
 * with its transaction.
 */
export const ownRowsOnly = (ownApplication: OwnApplication): KyselyPlugin => ({
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => {
    const own = ownApplication();
    if (own === undefined || !result.rows.some((row) => isForeign(row, own))) return result;
    throw new ServiceError('internal_error', 'A query gave rows of another application; they are withheld.');
  },
});

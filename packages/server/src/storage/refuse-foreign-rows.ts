import type { KyselyPlugin } from 'kysely';
import { ServiceError } from '../errors.js';

/** Application that makes the current request; `undefined` for an operator or the service itself. */
export type CurrentApplication = () => string | undefined;

const isForeign = (row: object, applicationId: string): boolean =>
  'applicationId' in row && row.applicationId !== null && row.applicationId !== applicationId;

/**
 * Rule A2: the second wall. A query that forgets its application gets no row of another one, and its writes are rolled back with
 * the transaction.
 */
export const refuseForeignRows = (currentApplication: CurrentApplication): KyselyPlugin => ({
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => {
    const current = currentApplication();
    if (current === undefined || !result.rows.some((row) => isForeign(row, current))) return result;
    throw new ServiceError('internal_error', 'A query gave rows of another application; they are withheld.');
  },
});

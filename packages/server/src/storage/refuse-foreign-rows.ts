import type { KyselyPlugin } from 'kysely';
import { internalError } from '../errors.js';

/**
 * Returns the id of the application that sent the current request. Returns `undefined` for an operator or the service
 * itself.
 */
export type CurrentApplication = () => string | undefined;

const isForeign = (row: object, applicationId: string): boolean =>
  'applicationId' in row && row.applicationId !== null && row.applicationId !== applicationId;

/**
 * Second check of tenant isolation (rule A2 in security-rules.md). If a query lacks its application filter and returns
 * a row of another application, it fails and its transaction is rolled back.
 */
export const refuseForeignRows = (currentApplication: CurrentApplication): KyselyPlugin => ({
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => {
    const current = currentApplication();
    if (current === undefined || !result.rows.some((row) => isForeign(row, current))) return result;
    throw internalError('A query returned rows of another application, so the service returned nothing.');
  },
});

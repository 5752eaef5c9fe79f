import type { AccountRow, Database } from './schema.js';

/**
 * Queries of the search terms by which an application's accounts are listed. There is one row for each tag and metadata
 * entry of an account, and one for its label.
 */
export const accountTermsTable = (database: Database) => ({
  /**
   * Replaces all search terms of an account: its tags, metadata entries and label. The caller must have locked the
   * account's row.
   */
  replace: async (
    { applicationId, id: accountId, identifier }: Pick<AccountRow, 'applicationId' | 'id' | 'identifier'>,
    terms: readonly string[],
  ): Promise<void> => {
    await database
      .deleteFrom('accountTerms')
      .where('applicationId', '=', applicationId)
      .where('accountId', '=', accountId)
      .execute();
    if (terms.length === 0) return;
    const rows = terms.map((term) => ({ applicationId, accountId, identifier, term }));
    await database.insertInto('accountTerms').values(rows).execute();
  },
});

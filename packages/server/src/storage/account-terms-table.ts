import type { AccountRow, Database } from './schema.js';

/**
 * Search terms by which the accounts of an application are listed: one row for each tag, each metadata entry and the
 * label of an account.
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

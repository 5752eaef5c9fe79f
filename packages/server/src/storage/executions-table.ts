import type { Database } from './database.js';
import type { ExecutionRow } from './schema.js';

export interface ExecutionQuery {
  readonly connectionName?: string | undefined;
  readonly toolName?: string | undefined;
  readonly status?: number | undefined;
  /** Those older than this one. */
  readonly before?: Pick<ExecutionRow, 'startedAt' | 'id'> | undefined;
  readonly limit: number;
}

export const executionsTable = (database: Database) => ({
  insert: async (executions: readonly ExecutionRow[]): Promise<void> => {
    await database.insertInto('executions').values(executions).execute();
  },

  /** Newest first. */
  list: (applicationId: string, query: ExecutionQuery): Promise<ExecutionRow[]> => {
    const { connectionName, toolName, status, before, limit } = query;
    let select = database.selectFrom('executions').selectAll().where('applicationId', '=', applicationId);
    if (connectionName !== undefined) select = select.where('connectionName', '=', connectionName);
    if (toolName !== undefined) select = select.where('toolName', '=', toolName);
    if (status !== undefined) select = select.where('status', '=', status);
    if (before) {
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('startedAt', 'id'), '<', tuple(before.startedAt, before.id)),
      );
    }
    return select.orderBy('startedAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
  },
});

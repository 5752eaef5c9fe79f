import type { ExecutionRow } from '../../../src/storage/schema.js';
import type { Storage } from '../../../src/storage/storage.js';
import { EXECUTION } from './sample-rows.js';

const ROWS_AT_ONCE = 5000;

/** Adds `count` executions of an application, whose start times are 1 ms apart. */
export async function addExecutions(
  { executions }: Pick<Storage, 'executions'>,
  applicationId: string,
  count: number,
): Promise<void> {
  for (let first = 0; first < count; first += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, count - first) }, (_, index): ExecutionRow => {
      const startedAt = Date.parse('2026-11-20T09:00:00Z') + first + index;
      return {
        ...EXECUTION,
        id: `exec_${startedAt.toString(16).padStart(12, '0')}${applicationId}`,
        applicationId,
        startedAt,
      };
    });
    await executions.insert(rows);
  }
}

import type { Log } from '../log/log.js';
import type { OnChange } from './commit.js';

/** A line of the log for every event of the audit log, which has the rest under the same request id. */
export const logChanges =
  (log: Pick<Log, 'info' | 'warn'>): OnChange =>
  ({ action, result, requestId, applicationId }) => {
    const write = result === 'done' ? log.info : log.warn;
    write(action, {
      ...(requestId !== null && { requestId }),
      ...(applicationId !== null && { applicationId }),
    });
  };

import type { AnyEventType } from '../names/event-types.js';
import type { ChangeReporter } from '../records/commit.js';
import type { FailureReporter } from '../records/write-executions.js';
import { isFailed } from '../storage/executions-table.js';
import type { Tables } from '../storage/storage.js';
import { newId, type Random } from '../text/random.js';
import { describeChange, type EventDraft, typeOf } from './describe-change.js';
import { toEventRow } from './event-row.js';
import { createDescribeFailure } from './failed-executions.js';
import { readWanted } from './wanted-events.js';

export interface ServiceEvents extends ChangeReporter, FailureReporter {
  /** Resolves to true if a webhook endpoint or a waiting reader of the application wants events of this type. */
  readonly isWanted: (
    tables: Pick<Tables, 'webhookEndpoints'>,
    applicationId: string,
    type: AnyEventType,
  ) => Promise<boolean>;
  /**
   * Writes events, even if no endpoint wants them. Resolves to true if it wrote any. After the commit, the caller must
   * call `notify`.
   */
  readonly insert: (tables: Pick<Tables, 'events'>, drafts: readonly EventDraft[]) => Promise<boolean>;
  /** Sets the callback that `notify` runs after each commit with new events. */
  readonly listen: (onWritten: () => void) => void;
}

const FAILED = 'execution.failed';

/**
 * Creates the writer of events about changes in the service. It writes an event in the transaction of its change, and
 * only if an endpoint or a waiting reader wants its type.
 */
export function createServiceEvents({
  now,
  random,
}: {
  readonly now: () => number;
  readonly random: Random;
}): ServiceEvents {
  const describeFailure = createDescribeFailure({ now });
  let onWritten: () => void = () => undefined;

  async function insert({ events }: Pick<Tables, 'events'>, drafts: readonly EventDraft[]): Promise<boolean> {
    if (drafts.length > 0)
      await events.insert(
        drafts.map((draft) => toEventRow(draft, { id: newId('evt', random), payload: null })),
      );
    return drafts.length > 0;
  }

  return {
    async write(tables, changes) {
      const drafts: EventDraft[] = [];
      const described = changes.flatMap((change) => {
        const { applicationId } = change;
        const type = typeOf(change);
        return type === undefined || applicationId === null ? [] : [{ change, applicationId, type }];
      });
      const isWanted = await readWanted(
        tables,
        described.map(({ applicationId }) => applicationId),
        now(),
      );
      for (const { change, applicationId, type } of described) {
        if (!isWanted(applicationId, type)) continue;
        const draft = await describeChange(tables, change);
        if (draft) drafts.push(draft);
      }
      return insert(tables, drafts);
    },

    async writeFailures(tables, executions) {
      const drafts: EventDraft[] = [];
      const failed = executions.filter(isFailed);
      const isWanted = await readWanted(
        tables,
        failed.map(({ applicationId }) => applicationId),
        now(),
      );
      for (const execution of failed) {
        if (!isWanted(execution.applicationId, FAILED)) continue;
        const draft = await describeFailure(tables, execution);
        if (draft) drafts.push(draft);
      }
      return insert(tables, drafts);
    },

    async isWanted(tables, applicationId, type) {
      const isWanted = await readWanted(tables, [applicationId], now());
      return isWanted(applicationId, type);
    },
    insert,
    notify: () => onWritten(),
    listen: (listener) => {
      onWritten = listener;
    },
  };
}

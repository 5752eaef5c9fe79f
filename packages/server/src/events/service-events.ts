import { newId, type Random } from '../random.js';
import type { ChangeReporter } from '../records/commit.js';
import type { FailureReporter } from '../records/write-executions.js';
import { isFailed } from '../storage/executions-table.js';
import type { Tables } from '../storage/storage.js';
import { describeChange, type EventDraft, typeOf } from './describe-change.js';
import { toEventRow } from './event-row.js';
import { createDescribeFailure } from './failed-executions.js';
import { createWantedEvents, type WantedEvents } from './wanted-events.js';

export interface ServiceEvents extends ChangeReporter, FailureReporter {
  /** Returns whether an endpoint or a waiting reader of the application wants events of this type. */
  readonly isWanted: WantedEvents['isWanted'];
  /** Call it after every change of an application's endpoints or leases in this process. */
  readonly dropWanted: WantedEvents['drop'];
  /** Sets the function that is called after each commit with new events. */
  readonly listen: (onWritten: () => void) => void;
}

const FAILED = 'execution.failed';

/**
 * Creates the writer of the service's events. Events are written in the transaction of the change that they report, and
 * only if an endpoint or a waiting reader of the application wants their type.
 */
export function createServiceEvents({
  now,
  random,
}: {
  readonly now: () => number;
  readonly random: Random;
}): ServiceEvents {
  const wanted = createWantedEvents({ now });
  const describeFailure = createDescribeFailure({ now });
  let onWritten: () => void = () => undefined;

  async function insert({ events }: Tables, drafts: readonly EventDraft[]): Promise<boolean> {
    if (drafts.length > 0)
      await events.insert(
        drafts.map((draft) => toEventRow(draft, { id: newId('evt', random), payload: null })),
      );
    return drafts.length > 0;
  }

  return {
    async write(tables, changes) {
      const drafts: EventDraft[] = [];
      for (const change of changes) {
        const { applicationId } = change;
        const type = typeOf(change);
        if (type === undefined || applicationId === null) continue;
        if (!(await wanted.isWanted(tables, applicationId, type))) continue;
        const draft = await describeChange(tables, change);
        if (draft) drafts.push(draft);
      }
      return insert(tables, drafts);
    },

    async writeFailures(tables, executions) {
      const drafts: EventDraft[] = [];
      for (const execution of executions.filter(isFailed)) {
        if (!(await wanted.isWanted(tables, execution.applicationId, FAILED))) continue;
        const draft = await describeFailure(tables, execution);
        if (draft) drafts.push(draft);
      }
      return insert(tables, drafts);
    },

    isWanted: wanted.isWanted,
    notify: () => onWritten(),
    dropWanted: wanted.drop,
    listen: (listener) => {
      onWritten = listener;
    },
  };
}

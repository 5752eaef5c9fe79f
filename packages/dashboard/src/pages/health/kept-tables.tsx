import type { Health } from '../../api/health.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { grouped } from '../../words/numbers.ts';
import { daysOf, kindOf, sizeOf } from './words.ts';

type Kept = Health['kept'][number];

const isPast = (at: string): boolean => Date.parse(at) <= Date.now();

const COLUMNS: readonly Column<Kept>[] = [
  { title: 'What', cell: ({ what }) => kindOf(what) },
  {
    title: 'Rows',
    isNumber: true,
    cell: ({ rows, isEstimated }) => rows !== undefined && `${isEstimated ? '~' : ''}${grouped(rows)}`,
  },
  { title: 'Size', isNumber: true, cell: ({ bytes }) => bytes !== undefined && sizeOf(bytes) },
  { title: 'Oldest', cell: ({ oldest }) => oldest !== undefined && isPast(oldest) && <Time at={oldest} /> },
  {
    title: 'Goes',
    cell: ({ keptForDays }) =>
      keptForDays === 0 ? 'as soon as it has ended' : `after ${daysOf(keptForDays)}`,
  },
];

/** What takes how much, and goes when. */
export const KeptTables = ({ kept }: { readonly kept: readonly Kept[] }) => (
  <section class="stack">
    <h2>What is kept, and for how long</h2>
    <p class="soft">
      What is older goes by itself; the settings SVC_KEEP_EXECUTIONS, SVC_KEEP_AUDIT, SVC_KEEP_ENDED and
      SVC_KEEP_UNUSED say after how many days. Everything else stays until somebody deletes it.
      {kept.some(({ rows }) => rows === undefined) && (
        <>
          {' '}
          Counting these tables would keep others waiting: <code>svc-server storage</code> does it.
        </>
      )}
    </p>
    <Table caption="What goes by itself" columns={COLUMNS} rows={kept} keyOf={({ what }) => what} />
  </section>
);

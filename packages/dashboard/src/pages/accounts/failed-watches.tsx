import type { Problems } from '../../api/problems.ts';
import { StateCell } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { TroubleList } from '../../parts/trouble-list.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { watchWords } from '../../words/watches.ts';

interface FailedWatchesProps {
  readonly watches: Problems['watches'];
  /** Returns the name of an application. Absent if all watches belong to the application of the page. */
  readonly nameOf?: (applicationId: string) => string;
}

const COLUMNS: readonly Column<Problems['watches'][number]>[] = [
  {
    title: 'Watched list',
    cell: ({ applicationId, accountId, toolName, identifier }) => (
      <>
        <a href={hrefOf(PATHS.account, { applicationId, accountId })}>{toolName}</a>
        <p class="soft">{identifier}</p>
      </>
    ),
  },
  {
    title: 'State',
    cell: ({ reason }) => <StateCell words={watchWords({ enabled: true, state: 'failed', reason })} />,
  },
];

/** Lists failed watches, with links to the pages of their accounts. */
export const FailedWatches = ({ watches, nameOf }: FailedWatchesProps) => (
  <TroubleList title="Watches that need attention" columns={COLUMNS} rows={watches} nameOf={nameOf} />
);

import { Notice } from '../../parts/notice.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { grouped } from '../../words/numbers.ts';

interface WaitingProps {
  readonly applicationId: string;
  readonly count: number | undefined;
}

/** Links to the calls that wait for an approval. Shows nothing if no call waits. */
export function Waiting({ applicationId, count = 0 }: WaitingProps) {
  if (count === 0) return null;
  const href = withQuery(hrefOf(PATHS.approvals, { applicationId }), { status: 'pending' });
  return (
    <Notice tone="warn">
      <a href={href}>
        {count === 1
          ? 'One call is waiting for approval'
          : `${grouped(count)} calls are waiting for approval`}
      </a>
    </Notice>
  );
}

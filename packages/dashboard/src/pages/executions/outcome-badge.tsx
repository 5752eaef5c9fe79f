import { Badge } from '../../parts/state.tsx';
import { failureWords } from '../../words/error-codes.ts';
import { grouped } from '../../words/numbers.ts';
import { type Execution, isFailed, isWaiting } from './timeline.ts';

type Outcome = Pick<Execution, 'status' | 'errorCode' | 'upstreamStatus' | 'count'>;

const State = (outcome: Outcome) => {
  if (!isFailed(outcome) && !isWaiting(outcome)) return <Badge tone="good">Success</Badge>;
  return <Badge tone={isWaiting(outcome) ? 'warn' : 'bad'}>{failureWords(outcome).title}</Badge>;
};

export const OutcomeBadge = (outcome: Outcome) => (
  <>
    <State {...outcome} />
    {outcome.count > 1 && <span class="soft"> × {grouped(outcome.count)}</span>}
  </>
);

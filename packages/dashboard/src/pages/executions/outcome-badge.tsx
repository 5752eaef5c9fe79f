import { Badge } from '../../parts/state.tsx';
import { failureWords } from '../../words/error-codes.ts';
import { type Execution, isFailed } from './timeline.ts';

export const OutcomeBadge = (execution: Pick<Execution, 'status' | 'errorCode' | 'upstreamStatus'>) =>
  isFailed(execution) ? (
    <Badge tone="bad">{failureWords(execution).title}</Badge>
  ) : (
    <Badge tone="good">Success</Badge>
  );

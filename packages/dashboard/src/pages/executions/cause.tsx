import { Fact } from '../../parts/fact.tsx';
import { reasonWords } from '../../words/reasons.ts';
import type { Execution } from './timeline.ts';

interface CauseProps {
  readonly cause: NonNullable<Execution['cause']>;
  /** Error code of the call, because some reasons mean something else with another error code. */
  readonly errorCode: string | undefined;
}

/** Shows the cause of a failed call or request. */
export function Cause({ cause, errorCode }: CauseProps) {
  const { reason, fields = [], upstreamCode, upstreamMessage, isRest } = cause;
  return (
    <>
      {isRest && (
        <p>
          Within one minute, the service refused so many different calls that it did not store an execution
          for each call. This execution counts the other refused calls with this error code.
        </p>
      )}
      <dl class="facts">
        {reason !== undefined && <Fact title="Reason">{reasonWords(reason, errorCode)}</Fact>}
        {fields.map(({ field, rule }) => (
          <Fact key={`${field} ${rule}`} title="Input field">
            <code>{field || 'the whole input'}</code>
            {rule !== '' && (
              <>
                {' '}
                breaks the rule <code>{rule}</code>
              </>
            )}
          </Fact>
        ))}
        {upstreamCode !== undefined && (
          <Fact title="Upstream error code">
            <code>{upstreamCode}</code>
          </Fact>
        )}
        {upstreamMessage !== undefined && <Fact title="Upstream message">{upstreamMessage}</Fact>}
      </dl>
    </>
  );
}

import { useRoute } from 'preact-iso';
import { mayChange } from '../../api/session.ts';
import { Copied } from '../../parts/copy.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Show, useCall } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Badge } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { duration } from '../../words/times.ts';
import '../../styles/executions.css';
import { failureWords } from '../../words/error-codes.ts';
import { type Execution, isFailed, type Span, spansOf, storyOf, titleOf } from './story.ts';

export function ExecutionPage() {
  const { applicationId = '', executionId = '' } = useRoute().params;
  const loaded = useCall('GET /operator/v1/applications/{applicationId}/executions/{executionId}', {
    path: { applicationId, executionId },
  });
  return (
    <Page
      title={loaded.value ? titleOf(loaded.value) : 'One call'}
      about="What happened on the way of one call."
      trail={[{ title: 'Executions', href: hrefOf(PATHS.executions, { applicationId }) }]}
    >
      <Show of={loaded}>
        {(execution) => (
          <>
            <Outcome execution={execution} />
            <Timeline execution={execution} />
            <Facts execution={execution} applicationId={applicationId} />
            {execution.toolName !== undefined && mayChange() && (
              <Again toolName={execution.toolName} execution={execution} applicationId={applicationId} />
            )}
          </>
        )}
      </Show>
    </Page>
  );
}

interface Shown {
  readonly execution: Execution;
}

function Outcome({ execution }: Shown) {
  const { errorCode, status } = execution;
  if (!isFailed(execution))
    return (
      <p>
        <Badge tone="good">Done</Badge> The caller got status {status}.
      </p>
    );
  const { explanation, next } = failureWords(execution);
  return (
    <Notice tone="bad">
      <p>
        <strong>{explanation}</strong> {next}
      </p>
      <p class="soft">
        The caller got status {status}
        {errorCode !== undefined && (
          <>
            {' '}
            and the code <code>{errorCode}</code>
          </>
        )}
        .
      </p>
    </Notice>
  );
}

function Timeline({ execution }: Shown) {
  const spans = spansOf(execution);
  return (
    <section class="panel" aria-labelledby="time">
      <h2 id="time">Where {duration(execution.durationMs)} went</h2>
      <Bar spans={spans} />
      <ol class="spans">
        {spans.map(({ kind, title, ms }) => (
          <li key={kind} class={kind}>
            {title}: <strong>{duration(ms)}</strong>
          </li>
        ))}
      </ol>
      <p>{storyOf(execution).join(' ')}</p>
    </section>
  );
}

const Bar = ({ spans }: { readonly spans: readonly Span[] }) => {
  const whole = Math.max(1, ...spans.map(({ from, ms }) => from + ms));
  return (
    <svg class="spans-bar" viewBox={`0 0 ${whole} 1`} preserveAspectRatio="none" aria-hidden="true">
      {spans.map(({ kind, from, ms }) => (
        <rect key={kind} class={kind} x={from} y="0" width={ms} height="1" />
      ))}
    </svg>
  );
};

const Facts = ({ execution, applicationId }: Shown & { readonly applicationId: string }) => {
  const { accountId, accountIdentifier, approvalId, connectionName } = execution;
  return (
    <section class="panel" aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <dl class="facts">
        <Fact title="Account">
          <a href={hrefOf(PATHS.account, { applicationId, accountId })}>{accountIdentifier ?? accountId}</a>
        </Fact>
        <Fact title="Connection">
          <a href={hrefOf(PATHS.connection, { applicationId, connectionName })}>{connectionName}</a>
        </Fact>
        {approvalId !== undefined && (
          <Fact title="Approved">
            <a href={hrefOf(PATHS.approval, { applicationId, approvalId })}>By a person</a>
          </Fact>
        )}
        <Fact title="Began">
          <Time at={execution.startedAt} />
        </Fact>
        <Fact title="Upstream status">{execution.upstreamStatus ?? 'None: it was not reached'}</Fact>
        <Fact title="Request id">
          <Copied text={execution.requestId} what="Request id" />
        </Fact>
        <Fact title="Execution id">
          <Copied text={execution.id} what="Execution id" />
        </Fact>
      </dl>
    </section>
  );
};

interface AgainProps extends Shown {
  readonly toolName: string;
  readonly applicationId: string;
}

const Again = ({ toolName, execution, applicationId }: AgainProps) => {
  const { accountId, connectionName } = execution;
  const href = withQuery(hrefOf(PATHS.tool, { applicationId, toolName }), { connectionName, accountId });
  return (
    <p class="row">
      <a class="button" href={href}>
        Run again in the playground
      </a>
      <span class="soft">The input is not kept: it has to be typed again.</span>
    </p>
  );
};

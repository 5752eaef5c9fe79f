import { useRoute } from 'preact-iso';
import { mayChange } from '../../api/session.ts';
import { Copied } from '../../parts/copy.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Show, useCall } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Badge } from '../../parts/state.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { duration } from '../../words/times.ts';
import '../../styles/executions.css';
import { failureWords } from '../../words/error-codes.ts';
import { upstreamUserOf } from '../../words/user-of.ts';
import { Cause } from './cause.tsx';
import {
  describeSteps,
  type Execution,
  isFailed,
  isWaiting,
  outcomeOf,
  type Span,
  spansOf,
  titleOf,
} from './timeline.ts';

export function ExecutionPage() {
  const { applicationId = '', executionId = '' } = useRoute().params;
  const loaded = useCall('GET /operator/v1/applications/{applicationId}/executions/{executionId}', {
    path: { applicationId, executionId },
  });
  return (
    <Page
      title={loaded.value ? titleOf(loaded.value) : 'Execution'}
      about="Outcome and timeline of one call."
      trail={[{ title: 'Executions', href: hrefOf(PATHS.executions, { applicationId }) }]}
    >
      <Show of={loaded}>
        {(execution) => (
          <>
            <Outcome execution={execution} />
            {execution.cause && (
              <section class="panel" aria-labelledby="cause">
                <h2 id="cause">Cause</h2>
                <Cause cause={execution.cause} errorCode={execution.errorCode} />
              </section>
            )}
            <Timeline execution={execution} />
            <Requests execution={execution} />
            <Facts execution={execution} applicationId={applicationId} />
            {execution.toolName !== undefined && mayChange() && (
              <RunAgain toolName={execution.toolName} execution={execution} applicationId={applicationId} />
            )}
          </>
        )}
      </Show>
    </Page>
  );
}

interface ExecutionProps {
  readonly execution: Execution;
}

function Outcome({ execution }: ExecutionProps) {
  const { errorCode, status } = execution;
  if (!isFailed(execution) && !isWaiting(execution))
    return (
      <p class="row">
        <Badge tone="good">Success</Badge>
        <span>The caller received status {status}.</span>
      </p>
    );
  const { explanation, next } = failureWords(execution);
  return (
    <Notice tone={isWaiting(execution) ? 'warn' : 'bad'}>
      <p>
        <strong>{explanation}</strong> {next}
      </p>
      <p class="soft">
        The caller received status {status}
        {errorCode !== undefined && (
          <>
            {' '}
            and the error code <code>{errorCode}</code>
          </>
        )}
        .
      </p>
    </Notice>
  );
}

type Request = NonNullable<Execution['requests']>[number];

const REQUEST_COLUMNS: readonly Column<Request & { readonly index: number }>[] = [
  { title: 'Request', cell: ({ index }) => index + 1, isNumber: true },
  { title: 'Wait before request', cell: ({ pauseMs }) => duration(pauseMs), isNumber: true },
  { title: 'Duration', cell: ({ ms }) => duration(ms), isNumber: true },
  { title: 'Outcome', cell: outcomeOf },
];

function Requests({ execution: { attempts = 0, requests = [] } }: ExecutionProps) {
  if (requests.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="requests">
      <h2 id="requests">Requests to the upstream</h2>
      <Table
        caption="Requests to the upstream, in order"
        columns={REQUEST_COLUMNS}
        rows={requests.map((request, index) => ({ ...request, index }))}
        keyOf={({ index }) => String(index)}
      />
      {attempts > requests.length && (
        <p class="soft">The table shows only the first {requests.length} requests.</p>
      )}
    </section>
  );
}

function Timeline({ execution }: ExecutionProps) {
  const spans = spansOf(execution);
  return (
    <section class="panel" aria-labelledby="time">
      <h2 id="time">Timeline ({duration(execution.durationMs)})</h2>
      <Bar spans={spans} />
      <ol class="spans">
        {spans.map(({ kind, title, ms }) => (
          <li key={kind} class={kind}>
            {title}: <strong>{duration(ms)}</strong>
          </li>
        ))}
      </ol>
      <p>{describeSteps(execution).join(' ')}</p>
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

interface FactsProps extends ExecutionProps {
  readonly applicationId: string;
}

const OwnerFacts = ({ execution, applicationId }: FactsProps) => {
  const { accountId, accountIdentifier: identifier, accountLabel, connectionName } = execution;
  return (
    <>
      <Fact title="User">
        {identifier === undefined ? (
          'Unknown'
        ) : (
          <a href={hrefOf(PATHS.user, { applicationId, identifier })}>{identifier}</a>
        )}
      </Fact>
      {accountId !== undefined && (
        <Fact title="Account">
          <a href={hrefOf(PATHS.account, { applicationId, accountId })}>
            {upstreamUserOf(execution.connectedAs) ?? accountLabel ?? accountId}
          </a>
        </Fact>
      )}
      <Fact title="Connection">
        {connectionName === undefined ? (
          'Unknown'
        ) : (
          <a href={hrefOf(PATHS.connection, { applicationId, connectionName })}>{connectionName}</a>
        )}
      </Fact>
    </>
  );
};

const Facts = ({ execution, applicationId }: FactsProps) => {
  const { approvalId } = execution;
  return (
    <section class="panel" aria-labelledby="facts">
      <h2 id="facts">Details</h2>
      <dl class="facts">
        <OwnerFacts execution={execution} applicationId={applicationId} />
        {approvalId !== undefined && (
          <Fact title="Approval">
            <a href={hrefOf(PATHS.approval, { applicationId, approvalId })}>Show approval</a>
          </Fact>
        )}
        <Fact title="Started">
          <Time at={execution.startedAt} />
        </Fact>
        <Fact title="Upstream status">{execution.upstreamStatus ?? 'None: no response'}</Fact>
        <Fact title="Request ID">
          <Copied text={execution.requestId} what="the request ID" />
        </Fact>
        {execution.traceId !== undefined && (
          <Fact title="Trace ID">
            <Copied text={execution.traceId} what="the trace ID" />
          </Fact>
        )}
        <Fact title="Service version">{execution.serviceVersion}</Fact>
        <Fact title="Execution ID">
          <Copied text={execution.id} what="the execution ID" />
        </Fact>
      </dl>
    </section>
  );
};

interface RunAgainProps extends FactsProps {
  readonly toolName: string;
}

const RunAgain = ({ toolName, execution, applicationId }: RunAgainProps) => {
  const { accountId, connectionName } = execution;
  const href = withQuery(hrefOf(PATHS.tool, { applicationId, toolName }), { connectionName, accountId });
  return (
    <p class="row">
      <a class="button" href={href}>
        Run again in the playground
      </a>
      <span class="soft">The service does not store inputs. Enter the input again.</span>
    </p>
  );
};

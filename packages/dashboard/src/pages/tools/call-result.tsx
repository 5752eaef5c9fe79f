import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import type { RequestOf, ResponseOf } from '../../api/call.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { duration } from '../../words/times.ts';
import { DryRunResult, type Execute, type Plan } from './dry-run-result.tsx';
import { JsonTree } from './json-tree.tsx';

export type ExecuteBody = RequestOf<Execute>['body'];

interface Succeeded {
  readonly response: Exclude<ResponseOf<Execute>, { readonly dryRun: unknown }>;
  readonly durationMs: number;
}

interface Planned {
  readonly plan: Plan;
  readonly durationMs: number;
}

interface Failed {
  readonly error: unknown;
  readonly durationMs: number;
}

/** Outcome of a tool call or dry run: a response, a plan or an error. */
export type Outcome = Succeeded | Planned | Failed;

interface Call {
  readonly applicationId: string;
  readonly toolName: string;
}

/** Shows the result of a tool call, the plan of a dry run, or the error. Scrolls it into view. */
export function CallResult({ outcome, ...of }: Call & { readonly outcome: Outcome }) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <section class="panel" aria-labelledby="result" ref={section}>
      <h2 id="result">{'plan' in outcome ? 'Dry run' : 'Result'}</h2>
      {'response' in outcome && <Success {...outcome} {...of} />}
      {'plan' in outcome && <DryRunResult plan={outcome.plan} />}
      {'error' in outcome && <Failure {...outcome} {...of} />}
    </section>
  );
}

const Success = ({ response, durationMs, applicationId }: Succeeded & Call) => {
  const { data, schemaVersion, toolVersion, executionId } = response;
  return (
    <>
      <p class="row">
        <span class="badge good">Finished in {duration(durationMs)}</span>
        <a href={hrefOf(PATHS.execution, { applicationId, executionId })}>Show execution</a>
        <span class="soft">
          Schema version {schemaVersion}, tool version {toolVersion}
        </span>
      </p>
      <div class="row">
        <h3>Data</h3>
        <CopyButton text={JSON.stringify(data, null, 2)} what="the data as JSON" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <section class="tree mono" tabIndex={0} aria-label="Data">
        <JsonTree value={data} />
      </section>
    </>
  );
};

/** Returns the id of the approval that a call needs. */
const approvalOf = (error: unknown): string | undefined =>
  error instanceof ApiError && error.code === 'approval_required' && typeof error.details['id'] === 'string'
    ? error.details['id']
    : undefined;

const Failure = ({ error, durationMs, applicationId, toolName }: Failed & Call) => {
  const body = error instanceof ApiError ? error.details['body'] : undefined;
  const approvalId = approvalOf(error);
  return (
    <>
      <ErrorNotice error={error} />
      <p class="row soft">
        Failed after {duration(durationMs)}
        {approvalId !== undefined && (
          <a href={hrefOf(PATHS.approval, { applicationId, approvalId })} target="_blank" rel="noreferrer">
            Show approval
          </a>
        )}
        <a href={withQuery(hrefOf(PATHS.executions, { applicationId }), { toolName })}>
          Show recent calls to this tool
        </a>
      </p>
      {body !== undefined && body !== null && (
        <>
          <h3>Upstream response</h3>
          <div class="tree mono">
            <JsonTree value={body} />
          </div>
        </>
      )}
    </>
  );
};

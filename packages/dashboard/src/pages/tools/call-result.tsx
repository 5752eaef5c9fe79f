import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import type { Answer, Given } from '../../api/call.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { duration } from '../../words/times.ts';
import { DryRunResult, type Execute, type Plan } from './dry-run-result.tsx';
import { JsonTree } from './json-tree.tsx';

export type ExecuteBody = Given<Execute>['body'];

interface Answered {
  readonly answer: Exclude<Answer<Execute>, { readonly dryRun: unknown }>;
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

/** The outcome of a call or of its dry run. */
export type Ending = Answered | Planned | Failed;

interface CallPlace {
  readonly applicationId: string;
  readonly toolName: string;
}

/** The result of a call, the plan of a dry run, or the error. It scrolls into view. */
export function CallResult({ ending, ...place }: CallPlace & { readonly ending: Ending }) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <section class="panel" aria-labelledby="result" ref={section}>
      <h2 id="result">{'plan' in ending ? 'Dry run' : 'Result'}</h2>
      {'answer' in ending && <Success {...ending} {...place} />}
      {'plan' in ending && <DryRunResult plan={ending.plan} />}
      {'error' in ending && <Failure {...ending} {...place} />}
    </section>
  );
}

const Success = ({ answer, durationMs, applicationId }: Answered & CallPlace) => {
  const { data, schemaVersion, toolVersion, executionId } = answer;
  return (
    <>
      <p class="row">
        <span class="badge good">Done in {duration(durationMs)}</span>
        <a href={hrefOf(PATHS.execution, { applicationId, executionId })}>What happened on the way</a>
        <span class="soft">
          Schema {schemaVersion}, tool {toolVersion}
        </span>
      </p>
      <div class="row">
        <h3>Data</h3>
        <CopyButton text={JSON.stringify(data, null, 2)} what="The data as JSON" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section class="tree mono" tabIndex={0} aria-label="The data">
        <JsonTree value={data} />
      </section>
    </>
  );
};

const Failure = ({ error, durationMs, applicationId, toolName }: Failed & CallPlace) => {
  const body = error instanceof ApiError ? error.details['body'] : undefined;
  return (
    <>
      <ErrorNotice error={error} />
      <p class="row soft">
        After {duration(durationMs)}
        <a href={withQuery(hrefOf(PATHS.executions, { applicationId }), { toolName })}>
          The last calls of this tool
        </a>
      </p>
      {body !== undefined && body !== null && (
        <>
          <h3>What the upstream service answered</h3>
          <div class="tree mono">
            <JsonTree value={body} />
          </div>
        </>
      )}
    </>
  );
};

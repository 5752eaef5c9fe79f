import { ApiError } from '../../api/api-error.ts';
import type { Answer, Given } from '../../api/call.ts';
import { hrefOf } from '../../pages.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { duration } from '../../parts/duration.ts';
import { ErrorNotice } from '../../parts/notice.tsx';
import { PATHS } from '../../paths.ts';
import { errorWords } from '../../words/error-codes.ts';
import { JsonTree } from './json-tree.tsx';

type Execute = 'POST /operator/v1/applications/{applicationId}/tools/{toolName}/execute';
export type ExecuteBody = Given<Execute>['body'];

/** How a call ended. */
export type Ending =
  | { readonly answer: Answer<Execute>; readonly durationMs: number }
  | { readonly error: unknown; readonly durationMs: number };

interface CallResultProps {
  readonly ending: Ending;
  readonly applicationId: string;
}

/** What came back, or why nothing did. */
export function CallResult({ ending, applicationId }: CallResultProps) {
  return (
    <section class="panel result" aria-labelledby="result">
      <h2 id="result" tabIndex={-1}>
        Result
      </h2>
      {'answer' in ending ? (
        <Success {...ending} applicationId={applicationId} />
      ) : (
        <Failure {...ending} applicationId={applicationId} />
      )}
    </section>
  );
}

const Success = ({
  answer,
  durationMs,
  applicationId,
}: Extract<Ending, { answer: unknown }> & ApplicationOf) => {
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

interface ApplicationOf {
  readonly applicationId: string;
}

const Failure = ({
  error,
  durationMs,
  applicationId,
}: Extract<Ending, { error: unknown }> & ApplicationOf) => {
  const words = error instanceof ApiError ? errorWords(error.code) : undefined;
  const body = error instanceof ApiError ? error.details['body'] : undefined;
  return (
    <>
      <ErrorNotice error={error} />
      {words && (
        <p>
          {words.story} {words.next}
        </p>
      )}
      <p class="row soft">
        After {duration(durationMs)}
        <a href={hrefOf(PATHS.executions, { applicationId })}>Look at the last executions</a>
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

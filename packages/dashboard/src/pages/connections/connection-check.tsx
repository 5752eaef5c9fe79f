import { useState } from 'preact/hooks';
import { call, type ResponseOf } from '../../api/call.ts';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Badge } from '../../parts/state.tsx';
import { toOperatorText } from '../../words/service-texts.ts';
import type { Tone } from '../../words/states.ts';
import type { ConnectionPath } from './account-summary.tsx';

type Checked =
  ResponseOf<'POST /operator/v1/applications/{applicationId}/connections/{connectionName}/check'>;
type Result = Checked['steps'][number]['result'];

interface Test {
  readonly isBusy: boolean;
  readonly checked?: Checked;
  readonly error?: unknown;
  readonly run: () => Promise<void>;
}

/** Tests a connection on demand. `onDone` is called after each test. */
export function useConnectionCheck(path: ConnectionPath, onDone: () => void): Test {
  const [state, setState] = useState<Omit<Test, 'run'>>({ isBusy: false });
  const run = async () => {
    setState({ isBusy: true });
    try {
      const checked = await call(
        'POST /operator/v1/applications/{applicationId}/connections/{connectionName}/check',
        { path },
      );
      setState({ isBusy: false, checked });
      onDone();
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return { ...state, run };
}

const RESULTS: Readonly<Record<Result, { readonly tone: Tone; readonly title: string }>> = {
  passed: { tone: 'good', title: 'Passed' },
  failed: { tone: 'bad', title: 'Failed' },
  skipped: { tone: 'soft', title: 'Skipped' },
};

/** Shows the result of the last connection test, step by step. */
export const CheckResult = ({ test: { isBusy, checked, error } }: { readonly test: Test }) => (
  <div role="status">
    {isBusy && <p class="soft">Testing the connection…</p>}
    {error !== undefined && <ErrorNotice error={error} />}
    {checked && (
      <div class={`notice ${checked.isWorking ? 'good' : 'bad'}`}>
        <p>
          <strong>{checked.isWorking ? 'The connection works.' : 'The connection does not work.'}</strong>
        </p>
        <ul class="plain-list">
          {checked.steps.map(({ result, message }) => (
            <li key={message}>
              <Badge tone={RESULTS[result].tone}>{RESULTS[result].title}</Badge> {toOperatorText(message)}
            </li>
          ))}
        </ul>
      </div>
    )}
  </div>
);

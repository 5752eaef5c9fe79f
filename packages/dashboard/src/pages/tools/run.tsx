import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { Tool } from '../../api/catalogue.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { brokenRules } from '../../parts/use-field-errors.ts';
import { userOf } from '../../words/user-of.ts';
import type { ExecuteBody, Outcome } from './call-result.tsx';
import { effectOf } from './find-tools.ts';
import type { Account } from './use-accounts.ts';
import type { InputState } from './use-input.ts';

interface RunProps {
  readonly tool: Tool;
  readonly applicationId: string;
  readonly account: Account | undefined;
  readonly state: InputState;
  readonly version: Pick<ExecuteBody, 'schemaVersion' | 'toolVersion'> | undefined;
  readonly onOutcome: (outcome: Outcome | undefined) => void;
}

async function execute(
  toolName: string,
  { applicationId, account, state, version }: RunProps,
  { signal, dryRun }: { readonly signal: AbortSignal; readonly dryRun: boolean },
): Promise<Outcome> {
  const started = performance.now();
  const durationMs = () => performance.now() - started;
  const path = { applicationId, toolName };
  const body = { connectedAccountId: account?.id ?? '', toolInput: state.input, ...version, dryRun };
  try {
    const response = await call(
      'POST /operator/v1/applications/{applicationId}/tools/{toolName}/execute',
      { path, body },
      { signal },
    );
    return 'dryRun' in response
      ? { plan: response.dryRun, durationMs: durationMs() }
      : { response, durationMs: durationMs() };
  } catch (error) {
    return { error, durationMs: durationMs() };
  }
}

/**
 * Shows the buttons that run the tool. The tool runs only with valid input. The form shows the errors that the service
 * reports.
 */
export function Run(props: RunProps) {
  const { tool, account, state, onOutcome } = props;
  const [running, setRunning] = useState<AbortController>();
  const isAlive = useRef(true);
  useEffect(
    () => () => {
      isAlive.current = false;
    },
    [],
  );
  const begin = async (dryRun: boolean) => {
    const aborter = new AbortController();
    onOutcome(undefined);
    setRunning(aborter);
    const outcome = await execute(tool.name, props, { signal: aborter.signal, dryRun });
    if (!isAlive.current) return;
    setRunning(undefined);
    if (aborter.signal.aborted) return;
    if ('error' in outcome) state.setServiceErrors(brokenRules(outcome.error));
    if ('response' in outcome) state.markSent();
    onOutcome(outcome);
  };
  return (
    <>
      {state.visibleErrors.length > 0 && (
        <Notice tone="warn">
          <p role="status">
            Fix {state.visibleErrors.length === 1 ? 'one error' : `${state.visibleErrors.length} errors`} in
            the input first.
          </p>
        </Notice>
      )}
      <RunButton
        account={account}
        hints={tool.hints}
        running={running}
        isReady={() => {
          state.showAllErrors();
          return state.errors.length === 0;
        }}
        begin={begin}
      />
    </>
  );
}

interface RunButtonProps {
  readonly account: Account | undefined;
  readonly hints: Tool['hints'];
  /** Controller that aborts the running call. `undefined` if no call is running. */
  readonly running: AbortController | undefined;
  /** Returns true if the input is valid. Otherwise the form shows the errors. */
  readonly isReady: () => boolean;
  readonly begin: (dryRun: boolean) => Promise<void>;
}

interface ConfirmationProps {
  readonly user: string;
  readonly close: () => void;
  readonly confirm: () => Promise<void>;
}

const Confirmation = ({ user, close, confirm }: ConfirmationProps) => (
  <Dialog title="Run a destructive tool?" onClose={close}>
    <p>
      This call deletes or overwrites data that <strong>{user}</strong> has at the upstream. You cannot undo
      the call in this dashboard.
    </p>
    <Form submit="Run tool" tone="danger" onCancel={close} onSubmit={confirm} />
  </Dialog>
);

/** Shows the buttons that run the tool. A destructive tool needs a confirmation. */
function RunButton({ account, hints, running, isReady, begin }: RunButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const isDestructive = effectOf(hints) === 'destroys';
  const isRunning = running !== undefined;
  const close = () => setAsking(false);
  const run = () => {
    if (!isReady()) return;
    if (isDestructive) setAsking(true);
    else begin(false);
  };
  return (
    <>
      <div class="actions">
        <button
          type="button"
          class={isDestructive ? 'danger' : 'primary'}
          disabled={isRunning || account === undefined}
          onClick={run}
        >
          {isRunning ? 'Running…' : account ? `Run as ${userOf(account)}` : 'Run'}
        </button>
        {!isRunning && (
          <button
            type="button"
            disabled={account === undefined}
            onClick={() => void (isReady() && begin(true))}
            title="Shows the requests without changing anything"
          >
            Dry run
          </button>
        )}
        {isRunning && (
          <button type="button" onClick={() => running.abort()}>
            Stop waiting
          </button>
        )}
      </div>
      <p class="soft" role="status">
        {isRunning && hints.longRunning && 'This tool may run for several minutes.'}
      </p>
      {isAsking && account && (
        <Confirmation
          user={userOf(account)}
          close={close}
          confirm={async () => {
            close();
            await begin(false);
          }}
        />
      )}
    </>
  );
}

import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { Tool } from '../../api/catalogue.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { brokenRules } from '../../parts/use-wrong.ts';
import type { Ending, ExecuteBody } from './call-result.tsx';
import { effectOf } from './find-tools.ts';
import type { Account } from './use-accounts.ts';
import type { InputState } from './use-input.ts';

interface RunProps {
  readonly tool: Tool;
  readonly applicationId: string;
  readonly account: Account | undefined;
  readonly state: InputState;
  readonly version: Pick<ExecuteBody, 'schemaVersion' | 'toolVersion'> | undefined;
  readonly onEnding: (ending: Ending | undefined) => void;
}

async function execute(
  toolName: string,
  { applicationId, account, state, version }: RunProps,
  { signal, dryRun }: { readonly signal: AbortSignal; readonly dryRun: boolean },
): Promise<Ending> {
  const started = performance.now();
  const durationMs = () => performance.now() - started;
  const path = { applicationId, toolName };
  const body = { connectedAccountId: account?.id ?? '', toolInput: state.input, ...version, dryRun };
  try {
    const answer = await call(
      'POST /operator/v1/applications/{applicationId}/tools/{toolName}/execute',
      { path, body },
      { signal },
    );
    return 'dryRun' in answer
      ? { plan: answer.dryRun, durationMs: durationMs() }
      : { answer, durationMs: durationMs() };
  } catch (error) {
    return { error, durationMs: durationMs() };
  }
}

/** Runs the tool if the input is valid, and shows the errors of the service. */
export function Run(props: RunProps) {
  const { tool, account, state, onEnding } = props;
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
    onEnding(undefined);
    setRunning(aborter);
    const ending = await execute(tool.name, props, { signal: aborter.signal, dryRun });
    if (!isAlive.current) return;
    setRunning(undefined);
    if (aborter.signal.aborted) return;
    if ('error' in ending) state.tellFound(brokenRules(ending.error));
    onEnding(ending);
  };
  return (
    <>
      {state.told.length > 0 && (
        <Notice tone="warn">
          <p role="status">
            {state.told.length === 1 ? 'One thing is' : `${state.told.length} things are`} to be mended first.
          </p>
        </Notice>
      )}
      <RunButton
        account={account}
        hints={tool.hints}
        running={running}
        isReady={() => {
          state.tellAll();
          return state.broken.length === 0;
        }}
        begin={begin}
      />
    </>
  );
}

interface RunButtonProps {
  readonly account: Account | undefined;
  readonly hints: Tool['hints'];
  /** Aborts the call that is running. */
  readonly running: AbortController | undefined;
  /** Tells whether the call may be made; shows the errors if not. */
  readonly isReady: () => boolean;
  readonly begin: (dryRun: boolean) => Promise<void>;
}

/** Runs the tool. A destructive tool asks first. */
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
          {isRunning ? 'Running…' : account ? `Run as ${account.identifier}` : 'Run'}
        </button>
        {!isRunning && (
          <button
            type="button"
            disabled={account === undefined}
            onClick={() => void (isReady() && begin(true))}
            title="Tells what would be sent, and sends nothing that changes something"
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
        {isRunning && hints.longRunning && 'This tool may take minutes.'}
      </p>
      {isAsking && account && (
        <Dialog title="Run a destructive tool?" onClose={close}>
          <p>
            It deletes or overwrites what <strong>{account.identifier}</strong> has at the upstream service.
            That cannot be undone from here.
          </p>
          <Form
            submit="Run it"
            tone="danger"
            onCancel={close}
            onSubmit={async () => {
              close();
              await begin(false);
            }}
          />
        </Dialog>
      )}
    </>
  );
}

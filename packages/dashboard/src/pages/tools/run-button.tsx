import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import type { Account } from './use-accounts.ts';

interface RunButtonProps {
  readonly account: Account | undefined;
  readonly isDestructive: boolean;
  readonly isRunning: boolean;
  readonly mayTakeLong: boolean;
  /** Tells whether the call may be made; shows the errors if not. */
  readonly isReady: () => boolean;
  readonly run: () => Promise<void>;
  /** Tells what would be sent. */
  readonly runDry: () => Promise<void>;
  readonly stop: () => void;
}

/** Runs the tool; one that destroys something only after a question. */
export function RunButton({
  account,
  isDestructive,
  isRunning,
  mayTakeLong,
  isReady,
  run,
  runDry,
  stop,
}: RunButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const begin = () => {
    if (!isReady()) return;
    if (isDestructive) setAsking(true);
    else run();
  };
  return (
    <>
      <div class="actions">
        <button
          type="button"
          class={isDestructive ? 'danger' : 'primary'}
          disabled={isRunning || account === undefined}
          onClick={begin}
        >
          {isRunning ? 'Running…' : account ? `Run as ${account.identifier}` : 'Run'}
        </button>
        {!isRunning && (
          <button
            type="button"
            disabled={account === undefined}
            onClick={() => void (isReady() && runDry())}
            title="Tells what would be sent, and sends nothing that changes something"
          >
            Dry run
          </button>
        )}
        {isRunning && (
          <button type="button" onClick={stop}>
            Stop waiting
          </button>
        )}
      </div>
      <p class="soft" role="status">
        {isRunning && mayTakeLong && 'This tool may take minutes.'}
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
              await run();
            }}
          />
        </Dialog>
      )}
    </>
  );
}

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ErrorNotice } from './notice.tsx';

interface FormProps {
  readonly submit: string;
  readonly onSubmit: () => Promise<unknown>;
  readonly tone?: 'primary' | 'secondary' | 'danger';
  readonly onCancel?: () => void;
  readonly children?: ComponentChildren;
}

/** Form that shows its progress and its error. The typed values remain if submitting fails. */
export function Form({ submit, onSubmit, tone = 'primary', onCancel, children }: FormProps) {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const run = async (event: SubmitEvent) => {
    event.preventDefault();
    if (state.isBusy) return;
    setState({ isBusy: true });
    try {
      await onSubmit();
      setState({ isBusy: false });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <form class="stack" onSubmit={run} aria-busy={state.isBusy}>
      {children}
      {state.error !== undefined && <ErrorNotice error={state.error} />}
      <div class="actions">
        {onCancel && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        {/* Uses `aria-disabled`, because a disabled button loses the focus, which it needs when a dialog closes. */}
        <button type="submit" class={tone} aria-disabled={state.isBusy}>
          {state.isBusy ? 'Please wait…' : submit}
        </button>
      </div>
    </form>
  );
}

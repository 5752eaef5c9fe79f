import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import { ConflictNotice, type Edit, isEditConflict } from './edit-conflict.tsx';
import { ErrorNotice } from './notice.tsx';

interface FormProps {
  readonly submit: string;
  readonly onSubmit: () => Promise<unknown>;
  readonly tone?: 'primary' | 'secondary' | 'danger';
  readonly onCancel?: () => void;
  /** Only for a form that changes stored settings: lets the operator resolve a conflict with another change. */
  readonly edit?: Edit;
  readonly children?: ComponentChildren;
}

/** Function of the surrounding dialog. Its forms report whether a request is running. */
export const ReportBusy = createContext<(isBusy: boolean) => void>(() => undefined);

/**
 * Form that shows its progress and its error. The typed values remain if submitting fails. Cancel is disabled while the
 * request is running, because the result would be lost.
 */
export function Form({ submit, onSubmit, tone = 'primary', onCancel, edit, children }: FormProps) {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const reportBusy = useContext(ReportBusy);
  useLayoutEffect(() => {
    if (!state.isBusy) return undefined;
    reportBusy(true);
    return () => reportBusy(false);
  }, [state.isBusy]);
  const run = async (event: SubmitEvent) => {
    event.preventDefault();
    if (state.isBusy) return;
    setState({ isBusy: true });
    try {
      await onSubmit();
      setState({ isBusy: false });
    } catch (error) {
      setState({ isBusy: false, error });
      if (isEditConflict(error)) edit?.onReload();
    }
  };
  const conflict = edit && isEditConflict(state.error) ? state.error : undefined;
  const isCompared = conflict !== undefined && edit?.compared !== undefined;
  const useStored = () => {
    edit?.compared?.draft.discard();
    setState({ isBusy: false });
  };
  return (
    <form class="stack" onSubmit={run} aria-busy={state.isBusy}>
      {children}
      {edit && conflict && <ConflictNotice conflict={conflict} compared={edit.compared} submit={submit} />}
      {state.error !== undefined && conflict === undefined && <ErrorNotice error={state.error} />}
      <div class="actions">
        {onCancel && (
          <button type="button" onClick={onCancel} disabled={state.isBusy}>
            Cancel
          </button>
        )}
        {isCompared && (
          <button type="button" onClick={useStored}>
            Use stored values
          </button>
        )}
        {/* Uses `aria-disabled`, because a disabled button loses the focus, which it needs when a dialog closes. */}
        <button type="submit" class={isCompared ? 'danger' : tone} aria-disabled={state.isBusy}>
          {state.isBusy ? 'Please wait…' : isCompared ? 'Overwrite' : submit}
        </button>
      </div>
    </form>
  );
}

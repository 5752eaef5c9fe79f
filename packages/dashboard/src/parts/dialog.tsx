import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Form } from './form.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Only the dialog's own button closes it, because its content is never shown again. */
  readonly isLasting?: boolean;
}

/** Focuses the button that Enter presses in a question without fields: Cancel if the action destroys something. */
function focusAnswer(dialog: HTMLDialogElement): void {
  if (document.activeElement?.matches('input, select, textarea')) return;
  const answer = dialog.querySelector<HTMLElement>('form [type="submit"]:not(.danger)');
  (answer ?? dialog.querySelector<HTMLElement>('form .actions [type="button"]'))?.focus();
}

/** A modal dialog, open while it is rendered. Escape closes it. */
export function Dialog({ title, onClose, children, isLasting = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    if (dialog.current) focusAnswer(dialog.current);
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      closedby={isLasting ? 'none' : 'closerequest'}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface DialogButtonProps {
  readonly label: ComponentChildren;
  readonly title: string;
  readonly class?: string | undefined;
  readonly 'aria-label'?: string | undefined;
  readonly disabled?: boolean;
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a dialog. What is typed in the dialog is forgotten when it closes. */
export function DialogButton({ label, title, children, ...button }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" {...button} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}

interface ConfirmProps {
  /** The label of the button that opens the question, and of the button that confirms it. */
  readonly action: string;
  readonly question: string;
  readonly onConfirm: () => Promise<unknown>;
  /** The consequences, and what will be lost. */
  readonly children: ComponentChildren;
  /** The object of the action, for a button in a row of a list. */
  readonly of?: string;
}

/** A button that asks before an action that cannot be undone. */
export const Confirm = ({ action, question, onConfirm, children, of }: ConfirmProps) => (
  <DialogButton
    label={action}
    class={of === undefined ? 'danger' : 'danger small'}
    aria-label={of && `${action}: ${of}`}
    title={question}
  >
    {(close) => (
      <Form submit={action} tone="danger" onCancel={close} onSubmit={() => onConfirm().then(close)}>
        {children}
      </Form>
    )}
  </DialogButton>
);

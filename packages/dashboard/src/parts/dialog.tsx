import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Form, ReportBusy } from './form.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** If true, Escape does not close the dialog, because its content is never shown again. */
  readonly isPersistent?: boolean;
}

/** Focuses the default button of a dialog without form fields: Cancel for a destructive action, otherwise Submit. */
function focusDefaultButton(dialog: HTMLDialogElement): void {
  if (document.activeElement?.matches('input, select, textarea')) return;
  const submit = dialog.querySelector<HTMLElement>('form [type="submit"]:not(.danger)');
  (submit ?? dialog.querySelector<HTMLElement>('form .actions [type="button"]'))?.focus();
}

/**
 * Modal dialog, which is open as long as it is rendered. Escape closes it unless `isPersistent` is true or a request of
 * its form is running.
 */
export function Dialog({ title, onClose, children, isPersistent = false }: DialogProps) {
  const [isBusy, setBusy] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    if (dialog.current) focusDefaultButton(dialog.current);
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      closedby={isPersistent || isBusy ? 'none' : 'closerequest'}
    >
      <h2 id={id}>{title}</h2>
      <ReportBusy.Provider value={setBusy}>{children}</ReportBusy.Provider>
    </dialog>
  );
}

interface CloseButtonProps {
  readonly label?: string;
  readonly onClose: () => void;
}

/** Close button for a dialog that contains no form. */
export const CloseButton = ({ label = 'Done', onClose }: CloseButtonProps) => (
  <div class="actions">
    <button type="button" class="primary" onClick={onClose}>
      {label}
    </button>
  </div>
);

interface DialogButtonProps {
  readonly label: ComponentChildren;
  readonly title: string;
  readonly class?: string | undefined;
  readonly 'aria-label'?: string | undefined;
  readonly disabled?: boolean;
  readonly children: (close: () => void) => ComponentChildren;
}

/** Button that opens a dialog. Closing the dialog discards the values of its form fields. */
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
  /** Label of the button that opens the dialog, and of the button that confirms the action. */
  readonly action: string;
  readonly question: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly children: ComponentChildren;
  /** Name of the object that the action affects, for screen readers. Only necessary for a button in a table row. */
  readonly of?: string;
}

/** Button that asks for confirmation before a destructive action. */
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

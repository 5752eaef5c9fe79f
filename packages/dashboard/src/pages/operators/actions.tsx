import { useState } from 'preact/hooks';
import { type Answer, call } from '../../api/call.ts';
import { session, titleOf } from '../../api/session.ts';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import type { SentLink } from './link-dialog.tsx';
import { RoleField } from './role-field.tsx';

export type Operator = Answer<'GET /operator/v1/operators'>['items'][number];

interface OperatorActionsProps {
  readonly operator: Operator;
  readonly onChange: () => void;
  readonly onLink: (sent: SentLink) => void;
}

export const OperatorActions = ({ operator, onChange, onLink }: OperatorActionsProps) => (
  <div class="row">
    <ChangeRole operator={operator} onChange={onChange} />
    <NewLink operator={operator} onLink={onLink} />
    <Remove operator={operator} onChange={onChange} />
  </div>
);

type ChangeProps = Omit<OperatorActionsProps, 'onLink'>;

function ChangeRole({ operator: { name, role }, onChange }: ChangeProps) {
  const [chosen, setChosen] = useState<Operator['role']>();
  const close = () => setChosen(undefined);
  const change = async (next: Operator['role']) => {
    await call('PATCH /operator/v1/operators/{name}', { path: { name }, body: { role: next } });
    // What the page offers follows the role at once.
    if (session.value?.name === name) session.value = { ...session.value, role: next };
    say(`${name} has the role ${titleOf(next)} now.`);
    close();
    onChange();
  };
  return (
    <>
      <button
        type="button"
        class="small"
        aria-label={`Change the role of ${name}`}
        onClick={() => setChosen(role)}
      >
        Role
      </button>
      {chosen && (
        <Dialog title={`The role of ${name}`} onClose={close}>
          <p>It counts at once, for sessions that are open too.</p>
          <Form submit="Change the role" onCancel={close} onSubmit={() => change(chosen)}>
            <RoleField value={chosen} onValue={setChosen} />
          </Form>
        </Dialog>
      )}
    </>
  );
}

function NewLink({ operator: { name }, onLink }: Omit<OperatorActionsProps, 'onChange'>) {
  const [isOpen, setOpen] = useState(false);
  const make = async () => {
    const sent = await call('POST /operator/v1/operators/{name}/sign-in-link', { path: { name } });
    setOpen(false);
    onLink({ name, ...sent });
  };
  return (
    <>
      <button
        type="button"
        class="small"
        aria-label={`Make a sign-in link for ${name}`}
        onClick={() => setOpen(true)}
      >
        Sign-in link
      </button>
      {isOpen && (
        <Dialog title={`A new sign-in link for ${name}`} onClose={() => setOpen(false)}>
          <p>
            For somebody who has lost the password or the passkey. The link signs in once; what {name} has
            keeps working. The audit log tells that you made it.
          </p>
          <Form submit="Make the link" onCancel={() => setOpen(false)} onSubmit={make} />
        </Dialog>
      )}
    </>
  );
}

function Remove({ operator: { name }, onChange }: ChangeProps) {
  const isSelf = name === session.value?.name;
  const remove = async () => {
    await call('DELETE /operator/v1/operators/{name}', { path: { name } });
    say(`${name} is deleted.`);
    onChange();
  };
  return (
    <Confirm action="Delete" of={name} question={`Delete ${name}?`} onConfirm={remove}>
      <p>
        {isSelf ? 'You are signed out at once and cannot come back.' : `${name} is signed out at once.`} The
        password and the passkeys are lost. What {name} did stays in the audit log.
      </p>
    </Confirm>
  );
}

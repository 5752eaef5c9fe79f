import { useState } from 'preact/hooks';
import { type Answer, call } from '../../api/call.ts';
import { ROLES, type Role, session, titleOf } from '../../api/session.ts';
import { Copied } from '../../parts/copy.tsx';
import { Confirm, Dialog, DialogButton } from '../../parts/dialog.tsx';
import { type Changeable, PLAIN, RadioField, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Time } from '../../parts/time.tsx';
import { say } from '../../parts/toast.tsx';

export type Operator = Answer<'GET /operator/v1/operators'>['items'][number];

interface OperatorActionsProps {
  readonly operator: Operator;
  readonly onChange: () => void;
  readonly onLink: (sent: SentLink) => void;
}

export const OperatorActions = ({ operator, onChange, onLink }: OperatorActionsProps) => (
  <div class="row">
    <DialogButton
      label="Role"
      class="small"
      aria-label={`Change the role of ${operator.name}`}
      title={`The role of ${operator.name}`}
    >
      {(close) => <RoleForm operator={operator} onChange={onChange} close={close} />}
    </DialogButton>
    <NewLink operator={operator} onLink={onLink} />
    <Remove operator={operator} onChange={onChange} />
  </div>
);

type ChangeProps = Omit<OperatorActionsProps, 'onLink'>;

interface DialogFormProps {
  readonly close: () => void;
}

function RoleForm({ operator: { name, role }, onChange, close }: ChangeProps & DialogFormProps) {
  const [chosen, setChosen] = useState(role);
  const change = async () => {
    await call('PATCH /operator/v1/operators/{name}', { path: { name }, body: { role: chosen } });
    // The session has the new role at once, because it decides what the page offers.
    if (session.value?.name === name) session.value = { ...session.value, role: chosen };
    say(`${name} has the role ${titleOf(chosen)} now.`);
    close();
    onChange();
  };
  return (
    <>
      <p>It counts at once, for sessions that are open too.</p>
      <Form submit="Change the role" onCancel={close} onSubmit={change}>
        <RoleField value={chosen} onValue={setChosen} />
      </Form>
    </>
  );
}

function NewLink({ operator: { name }, onLink }: Omit<OperatorActionsProps, 'onChange'>) {
  const make = async (close: () => void) => {
    const sent = await call('POST /operator/v1/operators/{name}/sign-in-link', { path: { name } });
    close();
    onLink({ name, ...sent });
  };
  return (
    <DialogButton
      label="Sign-in link"
      class="small"
      aria-label={`Make a sign-in link for ${name}`}
      title={`A new sign-in link for ${name}`}
    >
      {(close) => (
        <>
          <p>
            For somebody who has lost the password or the passkey. The link signs in once; what {name} has
            keeps working. The audit log tells that you made it.
          </p>
          <Form submit="Make the link" onCancel={close} onSubmit={() => make(close)} />
        </>
      )}
    </DialogButton>
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

type AddOperatorProps = Pick<OperatorActionsProps, 'onLink'>;

export const AddOperator = ({ onLink }: AddOperatorProps) => (
  <DialogButton label="Add an operator" class="primary" title="Add an operator">
    {(close) => <AddForm onLink={onLink} close={close} />}
  </DialogButton>
);

function AddForm({ onLink, close }: AddOperatorProps & DialogFormProps) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('operator');
  const add = async () => {
    const added = await call('POST /operator/v1/operators', { body: { name: name.trim(), role } });
    close();
    onLink(added);
  };
  return (
    <>
      <p>You get a link to send to them. It signs them in once, and they choose a password or a passkey.</p>
      <Form submit="Add and make the link" onCancel={close} onSubmit={add}>
        <TextField
          label="Name"
          hint="What they sign in with, such as ada or ada@example.com."
          value={name}
          onValue={setName}
          {...PLAIN}
          maxLength={64}
          required
          autofocus
        />
        <RoleField value={role} onValue={setRole} />
      </Form>
    </>
  );
}

const ROLE_CHOICES = ROLES.map(({ may, ...role }) => ({ ...role, means: may.toLowerCase() }));

const RoleField = (props: Changeable<Role>) => (
  <RadioField {...props} label="Role" name="role" choices={ROLE_CHOICES} />
);

/** A one-time sign-in link. */
export interface SentLink {
  readonly name: string;
  readonly link: string;
  readonly expiresAt: string;
}

interface LinkDialogProps {
  readonly sent: SentLink;
  readonly onClose: () => void;
}

export const LinkDialog = ({ sent: { name, link, expiresAt }, onClose }: LinkDialogProps) => (
  <Dialog title={`The sign-in link of ${name}`} onClose={onClose}>
    <p>
      Send it to {name} on a way that nobody else reads: whoever opens it first is signed in as {name}. It
      works once, ends <Time at={expiresAt} />, and is not shown again.
    </p>
    <Copied text={link} what="the sign-in link" />
    <div class="actions">
      <button type="button" class="primary" onClick={onClose}>
        Done
      </button>
    </div>
  </Dialog>
);

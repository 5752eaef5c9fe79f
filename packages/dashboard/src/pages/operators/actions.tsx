import { call, type ResponseOf } from '../../api/call.ts';
import { ROLES, type Role, session, titleOf } from '../../api/session.ts';
import { Copied } from '../../parts/copy.tsx';
import { CloseButton, Confirm, Dialog, DialogButton } from '../../parts/dialog.tsx';
import { type Changeable, PLAIN, RadioField, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useDraft } from '../../parts/use-draft.ts';

export type Operator = ResponseOf<'GET /operator/v1/operators'>['items'][number];

interface OperatorActionsProps {
  readonly operator: Operator;
  readonly onChange: () => void;
  readonly onLink: (created: SignInLink) => void;
}

export const OperatorActions = ({ operator, onChange, onLink }: OperatorActionsProps) => (
  <div class="row">
    <DialogButton
      label="Role"
      class="small"
      aria-label={`Change the role of ${operator.name}`}
      title={`Role of ${operator.name}`}
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

function RoleForm({ operator: { name, role, etag }, onChange, close }: ChangeProps & DialogFormProps) {
  const draft = useDraft({ form: `role ${name}`, initial: { chosen: role } });
  const { chosen } = draft.value;
  const change = async () => {
    const request = { path: { name }, body: { role: chosen } };
    await call('PATCH /operator/v1/operators/{name}', request, { ifMatch: etag });
    // Updates the session if operators change their own role, because the role decides which controls the pages show.
    if (session.value?.name === name) session.value = { ...session.value, role: chosen };
    showToast(`${name} now has the role ${titleOf(chosen)}.`);
    close();
    onChange();
  };
  return (
    <>
      <p>The new role takes effect immediately, also in open sessions.</p>
      <Form
        submit="Change role"
        onCancel={close}
        onSubmit={change}
        edit={{ compared: { draft, labels: { chosen: 'Role' } }, onReload: onChange }}
      >
        <RoleField value={chosen} onValue={(next) => draft.change({ chosen: next })} />
      </Form>
    </>
  );
}

function NewLink({ operator: { name }, onLink }: Omit<OperatorActionsProps, 'onChange'>) {
  const create = async (close: () => void) => {
    const created = await call('POST /operator/v1/operators/{name}/sign-in-link', { path: { name } });
    close();
    onLink({ name, ...created });
  };
  return (
    <DialogButton
      label="Sign-in link"
      class="small"
      aria-label={`Create sign-in link for ${name}`}
      title={`New sign-in link for ${name}`}
    >
      {(close) => (
        <>
          <p>
            Create a sign-in link for an operator who lost their password or passkey. The link works once, and
            the operator’s password and passkeys stay valid. The audit log records that you created the link.
          </p>
          <Form submit="Create link" onCancel={close} onSubmit={() => create(close)} />
        </>
      )}
    </DialogButton>
  );
}

function Remove({ operator: { name }, onChange }: ChangeProps) {
  const isSelf = name === session.value?.name;
  const remove = async () => {
    await call('DELETE /operator/v1/operators/{name}', { path: { name } });
    showToast(`Operator ${name} deleted.`);
    onChange();
  };
  return (
    <Confirm action="Delete" of={name} question={`Delete ${name}?`} onConfirm={remove}>
      <p>
        {isSelf ? 'You are signed out and cannot sign in again.' : `${name} is signed out immediately.`} The
        service deletes the password and passkeys. The audit log keeps the actions of {name}.
      </p>
    </Confirm>
  );
}

type AddOperatorProps = Pick<OperatorActionsProps, 'onLink'>;

export const AddOperator = ({ onLink }: AddOperatorProps) => (
  <DialogButton label="Add operator" class="primary" title="Add operator">
    {(close) => <AddForm onLink={onLink} close={close} />}
  </DialogButton>
);

function AddForm({ onLink, close }: AddOperatorProps & DialogFormProps) {
  const draft = useDraft<{ name: string; role: Role }>({
    form: 'add',
    initial: { name: '', role: 'operator' },
  });
  const { name, role } = draft.value;
  const add = async () => {
    const added = await call('POST /operator/v1/operators', { body: { name: name.trim(), role } });
    close();
    onLink(added);
  };
  return (
    <>
      <p>
        You get a one-time sign-in link for the new operator, who opens it and chooses a password or a
        passkey.
      </p>
      <Form submit="Add operator" onCancel={close} onSubmit={add}>
        <TextField
          label="Name"
          hint="The sign-in name, such as ada or ada@example.com."
          value={name}
          onValue={(next) => draft.change({ name: next })}
          {...PLAIN}
          maxLength={64}
          required
          autofocus
        />
        <RoleField value={role} onValue={(next) => draft.change({ role: next })} />
      </Form>
    </>
  );
}

const ROLE_CHOICES = ROLES.map(({ may, ...role }) => ({ ...role, description: may.toLowerCase() }));

const RoleField = (props: Changeable<Role>) => (
  <RadioField {...props} label="Role" name="role" choices={ROLE_CHOICES} />
);

/** One-time sign-in link of an operator. */
export interface SignInLink {
  readonly name: string;
  readonly link: string;
  readonly expiresAt: string;
}

interface LinkDialogProps {
  readonly created: SignInLink;
  readonly onClose: () => void;
}

export const LinkDialog = ({ created: { name, link, expiresAt }, onClose }: LinkDialogProps) => (
  <Dialog title={`Sign-in link for ${name}`} onClose={onClose}>
    <p>
      Send this link to {name} over a private channel, because anyone who opens it is signed in as {name}. The
      link works once, expires <Time at={expiresAt} />, and is not shown again.
    </p>
    <Copied text={link} what="the sign-in link" />
    <CloseButton onClose={onClose} />
  </Dialog>
);

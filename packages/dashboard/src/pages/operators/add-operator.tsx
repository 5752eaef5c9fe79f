import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { Role } from '../../api/session.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import type { SentLink } from './link-dialog.tsx';
import { RoleField } from './role-field.tsx';

interface AddOperatorProps {
  readonly onLink: (sent: SentLink) => void;
}

export function AddOperator({ onLink }: AddOperatorProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        Add an operator
      </button>
      {isOpen && <AddDialog onLink={onLink} onClose={() => setOpen(false)} />}
    </>
  );
}

function AddDialog({ onLink, onClose }: AddOperatorProps & { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('operator');
  const add = async () => {
    const added = await call('POST /operator/v1/operators', { body: { name: name.trim(), role } });
    onClose();
    onLink(added);
  };
  return (
    <Dialog title="Add an operator" onClose={onClose}>
      <p>You get a link to send to them. It signs them in once, and they choose a password or a passkey.</p>
      <Form submit="Add and make the link" onCancel={onClose} onSubmit={add}>
        <TextField
          label="Name"
          hint="What they sign in with, such as ada or ada@example.com."
          value={name}
          onValue={setName}
          autoComplete="off"
          spellcheck={false}
          maxLength={64}
          required
          autofocus
        />
        <RoleField value={role} onValue={setRole} />
      </Form>
    </Dialog>
  );
}

import { call, type ResponseOf } from '../../api/call.ts';
import { addPasskey, canUsePasskeys } from '../../api/passkey.ts';
import { hasNewPasskey, mayChangeOwnSignIn } from '../../api/session.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Show, useCall } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import { WholeTable } from '../../parts/whole-table.tsx';

type Passkey = ResponseOf<'GET /operator/v1/session/passkeys'>['items'][number];

const COLUMNS: readonly Column<Passkey>[] = [
  { title: 'Name', value: ({ name }) => name, cell: ({ name }) => name },
  { title: 'Added', value: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: 'Last used',
    value: ({ usedAt }) => usedAt,
    cell: ({ usedAt }) => (usedAt ? <Time at={usedAt} /> : 'Never'),
  },
];

export function Passkeys() {
  const loaded = useCall('GET /operator/v1/session/passkeys', {});
  const remove = async (id: string, name: string) => {
    await call('DELETE /operator/v1/session/passkeys/{id}', { path: { id } });
    showToast(`Passkey ${name} removed.`);
    loaded.reload();
  };
  const actions: Column<Passkey> = {
    title: 'Actions',
    cell: ({ id, name }) => (
      <Confirm
        action="Remove"
        of={name}
        question={`Remove the passkey ${name}?`}
        onConfirm={() => remove(id, name)}
      >
        <p>You can no longer sign in with this passkey. It stays on your device until you delete it there.</p>
      </Confirm>
    ),
  };
  return (
    <section class="panel">
      <h2>Passkeys</h2>
      <p class="soft">
        With a passkey, you sign in with your fingerprint, your face or a security key. Phishing sites cannot
        steal passkeys.
      </p>
      <Show of={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <p>You have no passkeys yet.</p>
          ) : (
            <WholeTable
              caption="Your passkeys"
              csvName="passkeys"
              columns={mayChangeOwnSignIn() ? [...COLUMNS, actions] : COLUMNS}
              rows={items}
              keyOf={({ id }) => id}
            />
          )
        }
      </Show>
      {mayChangeOwnSignIn() && canUsePasskeys && <AddPasskey onAdded={loaded.reload} />}
      {mayChangeOwnSignIn() && !canUsePasskeys && (
        <Notice tone="warn">
          Passkeys are not available. Use a current browser, and open the service over https or on localhost.
        </Notice>
      )}
    </section>
  );
}

const NO_NAME = { name: '' };

function AddPasskey({ onAdded }: { readonly onAdded: () => void }) {
  const draft = useDraft({ form: 'passkey', initial: NO_NAME });
  const { name } = draft.value;
  const add = async () => {
    await addPasskey(name.trim());
    hasNewPasskey.value = true;
    draft.reset(NO_NAME);
    showToast('Passkey added. You can now sign in with it.');
    onAdded();
  };
  return (
    <Form submit="Add passkey" onSubmit={add}>
      <TextField
        label="Name of the new passkey"
        hint="A name for the device that stores the passkey, such as “laptop”, “phone” or “blue key”."
        value={name}
        onValue={(next) => draft.change({ name: next })}
        autoComplete="off"
        maxLength={64}
        required
      />
    </Form>
  );
}

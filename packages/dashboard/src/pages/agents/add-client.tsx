import { useState } from 'preact/hooks';
import { call, type ResponseOf } from '../../api/call.ts';
import { Copied } from '../../parts/copy.tsx';
import { CloseButton, Dialog } from '../../parts/dialog.tsx';
import { linesOf, TextAreaField, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import { useFieldErrors } from '../../parts/use-field-errors.ts';

const CREATE = 'POST /operator/v1/applications/{applicationId}/agent-clients';

type Created = ResponseOf<typeof CREATE>;

interface AddClientProps {
  readonly applicationId: string;
  readonly onAdded: () => void;
}

export function AddClient({ applicationId, onAdded }: AddClientProps) {
  const [step, setStep] = useState<'closed' | 'form' | Created>('closed');
  const close = () => setStep('closed');
  const show = (created: Created) => {
    setStep(created);
    onAdded();
  };
  return (
    <>
      <button type="button" onClick={() => setStep('form')}>
        Add client
      </button>
      {step === 'form' && <ClientForm applicationId={applicationId} onCancel={close} onCreated={show} />}
      {typeof step === 'object' && <ClientId client={step} onClose={close} />}
    </>
  );
}

interface ClientFormProps {
  readonly applicationId: string;
  readonly onCancel: () => void;
  readonly onCreated: (created: Created) => void;
}

function ClientForm({ applicationId, onCancel, onCreated }: ClientFormProps) {
  const draft = useDraft({ form: 'client', initial: { name: '', redirectUris: '' } });
  const { name, redirectUris } = draft.value;
  const { wrong, send } = useFieldErrors(['name', 'redirectUris']);
  const body = { name: name.trim(), redirectUris: linesOf(redirectUris) };
  const create = () =>
    send(async () => onCreated(await call(CREATE, { path: { applicationId }, body }))).then(() => undefined);
  return (
    <Dialog title="Add client" onClose={onCancel}>
      <Form submit="Add client" onCancel={onCancel} onSubmit={create}>
        <TextField
          label="Name"
          hint="Your users see this name on the consent page."
          wrong={wrong.name}
          value={name}
          onValue={(next) => draft.change({ name: next })}
          maxLength={100}
          autoComplete="off"
          required
          autofocus
        />
        <TextAreaField
          label="Redirect URIs"
          hint="One redirect URI per line, as given in the client’s documentation. A URI that starts with http://127.0.0.1 or http://localhost matches any port."
          wrong={wrong.redirectUris}
          placeholder="https://claude.ai/api/mcp/auth_callback"
          rows={2}
          value={redirectUris}
          onValue={(next) => draft.change({ redirectUris: next })}
        />
      </Form>
    </Dialog>
  );
}

const ClientId = ({ client, onClose }: { readonly client: Created; readonly onClose: () => void }) => (
  <Dialog title={`Client ID of ${client.name}`} onClose={onClose}>
    <Copied text={client.id} what="the client ID" />
    <p>
      Enter this client ID in the settings of the client. The client has no client secret, so leave the field
      for it empty. The client ID is not secret: you can copy it again from the list of clients.
    </p>
    <CloseButton onClose={onClose} />
  </Dialog>
);

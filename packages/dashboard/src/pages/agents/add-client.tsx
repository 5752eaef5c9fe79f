import { useState } from 'preact/hooks';
import { type Answer, call } from '../../api/call.ts';
import { Copied } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { linesOf, TextAreaField, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { useWrong } from '../../parts/use-wrong.ts';

const CREATE = 'POST /operator/v1/applications/{applicationId}/agent-clients';

type Created = Answer<typeof CREATE>;

interface AddClientProps {
  readonly applicationId: string;
  readonly onAdded: () => void;
}

/** Adds a client and shows its id. */
export function AddClient({ applicationId, onAdded }: AddClientProps) {
  const [step, setStep] = useState<'closed' | 'asking' | Created>('closed');
  const close = () => setStep('closed');
  const show = (created: Created) => {
    setStep(created);
    onAdded();
  };
  return (
    <>
      <button type="button" onClick={() => setStep('asking')}>
        Add a client
      </button>
      {step === 'asking' && <AskAbout applicationId={applicationId} onCancel={close} onCreated={show} />}
      {typeof step === 'object' && <ShowId client={step} onClose={close} />}
    </>
  );
}

interface AskAboutProps {
  readonly applicationId: string;
  readonly onCancel: () => void;
  readonly onCreated: (created: Created) => void;
}

function AskAbout({ applicationId, onCancel, onCreated }: AskAboutProps) {
  const [name, setName] = useState('');
  const [redirectUris, setRedirectUris] = useState('');
  const { wrong, send } = useWrong(['name', 'redirectUris']);
  const body = { name: name.trim(), redirectUris: linesOf(redirectUris) };
  const create = () =>
    send(async () => onCreated(await call(CREATE, { path: { applicationId }, body }))).then(() => undefined);
  return (
    <Dialog title="Add a client" onClose={onCancel}>
      <Form submit="Add it" onCancel={onCancel} onSubmit={create}>
        <TextField
          label="Name"
          hint="Your users read it when they are asked whether it may work for them."
          wrong={wrong.name}
          value={name}
          onValue={setName}
          maxLength={100}
          autoComplete="off"
          required
          autofocus
        />
        <TextAreaField
          label="Redirect addresses"
          hint="One a line, as the client’s documentation has them. Of http://127.0.0.1 and http://localhost any port fits."
          wrong={wrong.redirectUris}
          placeholder="https://claude.ai/api/mcp/auth_callback"
          rows={2}
          value={redirectUris}
          onValue={setRedirectUris}
        />
      </Form>
    </Dialog>
  );
}

const ShowId = ({ client, onClose }: { readonly client: Created; readonly onClose: () => void }) => (
  <Dialog title={`The client ID of ${client.name}`} onClose={onClose}>
    <Copied text={client.id} what="the client ID" />
    <p>
      Enter it where the client asks for a client ID. It has no secret: leave that field empty. The ID is no
      secret either, and stays in the list.
    </p>
    <div class="actions">
      <button type="button" class="primary" onClick={onClose}>
        Done
      </button>
    </div>
  </Dialog>
);

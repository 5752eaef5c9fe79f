import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import { useFieldErrors } from '../../parts/use-field-errors.ts';
import { EndpointFields, type EndpointSettings, FIELD_NAMES } from './endpoint-fields.tsx';
import { SigningSecretDialog } from './signing-secret.tsx';

interface AddEndpointProps {
  readonly applicationId: string;
  readonly onAdded: () => void;
}

type Step = 'closed' | 'form' | { readonly secret: string };

/** Button that creates an endpoint, and then shows its signing secret. */
export function AddEndpoint({ applicationId, onAdded }: AddEndpointProps) {
  const [step, setStep] = useState<Step>('closed');
  const close = () => setStep('closed');
  const show = (secret: string) => {
    setStep({ secret });
    onAdded();
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => setStep('form')}>
        Add endpoint
      </button>
      {step === 'form' && <NewEndpointForm applicationId={applicationId} onCancel={close} onCreated={show} />}
      {typeof step === 'object' && <SigningSecretDialog secret={step.secret} onClose={close} />}
    </>
  );
}

interface NewEndpointFormProps {
  readonly applicationId: string;
  readonly onCancel: () => void;
  readonly onCreated: (secret: string) => void;
}

const NEW: EndpointSettings = { url: '', description: '', types: [], connectionName: '', ordered: false };

function NewEndpointForm({ applicationId, onCancel, onCreated }: NewEndpointFormProps) {
  const draft = useDraft({ form: 'endpoint', initial: NEW });
  const { url, description, types, connectionName, ordered } = draft.value;
  const { wrong, send } = useFieldErrors(FIELD_NAMES);
  const body = {
    url: url.trim(),
    types: [...types],
    ordered,
    ...(connectionName !== '' && { connectionName }),
    ...(description.trim() !== '' && { description: description.trim() }),
  };
  const create = async () => {
    await send(async () => {
      const { secret } = await call('POST /operator/v1/applications/{applicationId}/webhook-endpoints', {
        path: { applicationId },
        body,
      });
      draft.reset();
      onCreated(secret);
    });
  };
  return (
    <Dialog title="Add endpoint" onClose={onCancel}>
      <Form submit="Add endpoint" onCancel={onCancel} onSubmit={create}>
        <EndpointFields
          applicationId={applicationId}
          value={draft.value}
          change={draft.change}
          wrong={wrong}
          isNew
        />
      </Form>
    </Dialog>
  );
}

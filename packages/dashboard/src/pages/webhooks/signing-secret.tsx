import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { mayChange } from '../../api/session.ts';
import { Copied } from '../../parts/copy.tsx';
import { CloseButton, Dialog, DialogButton } from '../../parts/dialog.tsx';
import { RadioField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Time } from '../../parts/time.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import type { Endpoint } from '../../words/webhooks.ts';

interface SecretDialogProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a new signing secret. Escape does not close the dialog, because the service never shows the secret again. */
export const SigningSecretDialog = ({ secret, onClose }: SecretDialogProps) => (
  <Dialog title="New signing secret" onClose={onClose} isPersistent>
    <Notice tone="warn">
      Copy the signing secret now, because the service shows it only once. If you lose the signing secret,
      rotate it.
    </Notice>
    <Copied text={secret} what="the signing secret" />
    <p>
      The receiver, which is the program behind the endpoint’s URL, uses this secret to verify the signature
      of each request. Keep the secret where the receiver keeps its other secrets.
    </p>
    <CloseButton label="Close after copying" onClose={onClose} />
  </Dialog>
);

const OVERLAPS = [
  { value: '0', title: 'Now (after a leak)' },
  { value: '3600', title: 'In 1 hour' },
  { value: '86400', title: 'In 1 day' },
  { value: '604800', title: 'In 7 days' },
] as const;

interface RotationProps {
  readonly applicationId: string;
  readonly endpointId: string;
  readonly onRotated: (secret: string) => void;
  readonly onCancel: () => void;
}

function RotationForm({ applicationId, endpointId, onRotated, onCancel }: RotationProps) {
  const draft = useDraft({ form: 'rotation', initial: { overlap: '86400' } });
  const { overlap } = draft.value;
  const rotate = async () => {
    const { secret } = await call(
      'POST /operator/v1/applications/{applicationId}/webhook-endpoints/{endpointId}/rotate-secret',
      { path: { applicationId, endpointId }, body: { oldSecretExpiresIn: Number(overlap) } },
    );
    draft.reset();
    onRotated(secret);
  };
  return (
    <Form submit="Rotate secret" onCancel={onCancel} onSubmit={rotate}>
      <p>
        The service creates a new signing secret. Until the current secret expires, each request has the
        signatures of both secrets.
      </p>
      <RadioField
        label="The current secret expires"
        name="overlap"
        value={overlap}
        choices={OVERLAPS}
        onValue={(next) => draft.change({ overlap: next })}
      />
    </Form>
  );
}

interface SigningSecretProps {
  readonly applicationId: string;
  readonly endpoint: Endpoint;
  readonly onChange: () => void;
}

/** Panel that rotates the signing secret of an endpoint. The stored secret is never shown. */
export function SigningSecret({ applicationId, endpoint, onChange }: SigningSecretProps) {
  const [secret, setSecret] = useState<string>();
  const { id: endpointId, previousSecretExpiresAt: until } = endpoint;
  const close = () => {
    setSecret(undefined);
    onChange();
  };
  return (
    <section class="panel" aria-labelledby="secret">
      <h2 id="secret">Signing secret</h2>
      <p>
        {until === undefined ? (
          'One secret signs the deliveries. The service never shows a stored secret.'
        ) : (
          <>
            Two secrets sign the deliveries. The previous secret expires <Time at={until} />.
          </>
        )}
      </p>
      {mayChange() && (
        <DialogButton label="Rotate secret" title="Rotate the signing secret?">
          {(closeForm) => (
            <RotationForm
              {...{ applicationId, endpointId }}
              onCancel={closeForm}
              onRotated={(created) => {
                closeForm();
                setSecret(created);
              }}
            />
          )}
        </DialogButton>
      )}
      {secret !== undefined && <SigningSecretDialog secret={secret} onClose={close} />}
    </section>
  );
}

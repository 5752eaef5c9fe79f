import { useState } from 'preact/hooks';
import { call, type ResponseOf } from '../../api/call.ts';
import { mayChange } from '../../api/session.ts';
import { Copied } from '../../parts/copy.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Form } from '../../parts/form.tsx';
import { Show, useCall } from '../../parts/loaded.tsx';
import { Badge, RevokedBadge } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { WholeTable } from '../../parts/whole-table.tsx';
import { serviceUrl } from '../../service-url.ts';
import { SecretDialog } from './secret-dialog.tsx';

type Secret = ResponseOf<'GET /operator/v1/applications/{applicationId}/client-secrets'>['items'][number];

const MAX_ACTIVE = 2;

const COLUMNS: readonly Column<Secret>[] = [
  { title: 'Client secret', value: ({ id }) => id, cell: ({ id }) => <code>{id}</code> },
  {
    title: 'Status',
    value: ({ revokedAt }) => (revokedAt === null ? 'Active' : `Revoked ${revokedAt}`),
    cell: ({ revokedAt }) =>
      revokedAt === null ? <Badge tone="good">Active</Badge> : <RevokedBadge at={revokedAt} />,
  },
  { title: 'Created', value: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export function Credentials({ applicationId }: { readonly applicationId: string }) {
  const loaded = useCall('GET /operator/v1/applications/{applicationId}/client-secrets', {
    path: { applicationId },
  });
  return (
    <section class="panel">
      <h2>Credentials</h2>
      <dl class="facts">
        <Fact title="Environment URL of this service">
          <Copied text={serviceUrl()} what="the environment URL" />
        </Fact>
        <Fact title="Client ID">
          <Copied text={applicationId} what="the client ID" />
        </Fact>
      </dl>
      <h3>Client secrets</h3>
      <Show of={loaded}>
        {({ items }) => <Secrets applicationId={applicationId} secrets={items} onChange={loaded.reload} />}
      </Show>
    </section>
  );
}

interface SecretsProps {
  readonly applicationId: string;
  readonly secrets: readonly Secret[];
  readonly onChange: () => void;
}

function Secrets({ applicationId, secrets, onChange }: SecretsProps) {
  const active = secrets.filter(({ revokedAt }) => revokedAt === null);
  const revoke = async (secretId: string) => {
    await call('DELETE /operator/v1/applications/{applicationId}/client-secrets/{secretId}', {
      path: { applicationId, secretId },
    });
    showToast('Client secret revoked.');
    onChange();
  };
  const actions: Column<Secret> = {
    title: 'Actions',
    cell: ({ id, revokedAt }) =>
      revokedAt === null && (
        <Confirm action="Revoke" of={id} question="Revoke this client secret?" onConfirm={() => revoke(id)}>
          <p>
            Programs that use this client secret get no new access tokens, and existing access tokens stop
            working within seconds. You cannot undo this revocation.
          </p>
          {active.length === 1 && (
            <p>
              <strong>Your application has no other active client secret.</strong> After you revoke this
              client secret, your application cannot make calls until you add a new one.
            </p>
          )}
        </Confirm>
      ),
  };
  return (
    <>
      {secrets.length > 0 && (
        <WholeTable
          caption="Client secrets"
          csvName="client-secrets"
          columns={mayChange() ? [...COLUMNS, actions] : COLUMNS}
          rows={secrets}
          keyOf={({ id }) => id}
        />
      )}
      {active.length === 0 && (
        <p>The application has no active client secret and cannot make calls. Add a client secret.</p>
      )}
      {mayChange() && active.length < MAX_ACTIVE && (
        <AddSecret applicationId={applicationId} onAdded={onChange} />
      )}
      <p class="soft">
        To rotate a client secret without downtime, add a second one, deploy it, then revoke the first one.
      </p>
    </>
  );
}

interface AddSecretProps {
  readonly applicationId: string;
  readonly onAdded: () => void;
}

function AddSecret({ applicationId, onAdded }: AddSecretProps) {
  const [newSecret, setNewSecret] = useState<string>();
  const add = async () => {
    const { clientSecret } = await call('POST /operator/v1/applications/{applicationId}/client-secrets', {
      path: { applicationId },
    });
    setNewSecret(clientSecret);
  };
  const close = () => {
    setNewSecret(undefined);
    onAdded();
  };
  return (
    <>
      <Form submit="Add client secret" tone="secondary" onSubmit={add} />
      {newSecret !== undefined && (
        <SecretDialog clientId={applicationId} clientSecret={newSecret} onClose={close} />
      )}
    </>
  );
}

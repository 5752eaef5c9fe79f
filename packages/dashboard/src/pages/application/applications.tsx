import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type Answer, call } from '../../api/call.ts';
import { mayChange } from '../../api/session.ts';
import { type Application, loadApplications } from '../../application-choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Badge } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { SecretDialog } from './secret-dialog.tsx';

const settingsOf = (applicationId: string) => hrefOf(PATHS.application, { applicationId });

const COLUMNS: readonly Column<Application>[] = [
  { title: 'Name', cell: ({ id, name }) => <a href={settingsOf(id)}>{name}</a> },
  { title: 'Client id', cell: ({ id }) => <code>{id}</code> },
  {
    title: 'State',
    cell: ({ production }) =>
      production ? <Badge tone="good">In production</Badge> : <Badge tone="soft">In development</Badge>,
  },
  { title: 'Made', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export const Applications = () => (
  <Page
    title="Applications"
    about="An application is one product of yours, with its own credentials, connections and users. Nothing of one is seen by another."
    actions={mayChange() && <CreateApplication />}
  >
    <PagedTable
      of="applications"
      caption="Applications"
      columns={COLUMNS}
      keyOf={({ id }) => id}
      load={(page, signal) =>
        call('GET /operator/v1/applications', { query: { pageSize: 50, ...page } }, { signal })
      }
      empty={
        <div class="empty">
          <p>There is no application yet. Make one, and you get the credentials for its code.</p>
          {mayChange() && <CreateApplication />}
        </div>
      }
    />
  </Page>
);

type Created = Answer<'POST /operator/v1/applications'>;

function CreateApplication() {
  const [step, setStep] = useState<'closed' | 'asking' | Created>('closed');
  const { route } = useLocation();
  const close = () => setStep('closed');
  const go = ({ id }: Created) => {
    close();
    route(settingsOf(id));
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => setStep('asking')}>
        Make an application
      </button>
      {step === 'asking' && <AskName onCancel={close} onCreated={setStep} />}
      {typeof step === 'object' && (
        <SecretDialog clientId={step.id} clientSecret={step.clientSecret} onClose={() => go(step)} />
      )}
    </>
  );
}

interface AskNameProps {
  readonly onCancel: () => void;
  readonly onCreated: (created: Created) => void;
}

function AskName({ onCancel, onCreated }: AskNameProps) {
  const [name, setName] = useState('');
  const create = async () => {
    const created = await call('POST /operator/v1/applications', { body: { name: name.trim() } });
    onCreated(created);
    await loadApplications();
  };
  return (
    <Dialog title="Make an application" onClose={onCancel}>
      <Form submit="Make it" onCancel={onCancel} onSubmit={create}>
        <TextField
          label="Name"
          hint="Your users read it when they are asked whether they agree."
          value={name}
          onValue={setName}
          maxLength={128}
          autoComplete="off"
          required
          autofocus
        />
      </Form>
    </Dialog>
  );
}

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { call, type ResponseOf } from '../../api/call.ts';
import { mayChange } from '../../api/session.ts';
import { type Application, loadApplications } from '../../application-choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import { hrefOf, PATHS } from '../../paths.ts';
import { ModeBadge } from './production.tsx';
import { SecretDialog } from './secret-dialog.tsx';

const settingsOf = (applicationId: string) => hrefOf(PATHS.application, { applicationId });

const COLUMNS: readonly Column<Application>[] = [
  { title: 'Name', value: ({ name }) => name, cell: ({ id, name }) => <a href={settingsOf(id)}>{name}</a> },
  { title: 'Client ID', value: ({ id }) => id, cell: ({ id }) => <code>{id}</code> },
  {
    title: 'Mode',
    value: ({ production }) => (production ? 'In production' : 'In development'),
    cell: ModeBadge,
  },
  { title: 'Created', value: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export const Applications = () => (
  <Page
    title="Applications"
    about="An application is one of your products, with separate credentials, connections and users."
    actions={mayChange() && <CreateApplication />}
  >
    <PagedTable
      of="applications"
      caption="Applications"
      columns={COLUMNS}
      keyOf={({ id }) => id}
      load={(page, signal) =>
        call('GET /operator/v1/applications', { query: { pageSize: 200, ...page } }, { signal })
      }
      loadCount={(signal) => call('GET /operator/v1/applications/count', {}, { signal })}
      csvName="applications"
      empty={
        <Empty text="No applications yet. Create an application to get credentials for your code.">
          {mayChange() && <CreateApplication />}
        </Empty>
      }
    />
  </Page>
);

type Created = ResponseOf<'POST /operator/v1/applications'>;

function CreateApplication() {
  const [step, setStep] = useState<'closed' | 'form' | Created>('closed');
  const { route } = useLocation();
  const close = () => setStep('closed');
  const go = ({ id }: Created) => {
    close();
    route(settingsOf(id));
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => setStep('form')}>
        Create application
      </button>
      {step === 'form' && <NameForm onCancel={close} onCreated={setStep} />}
      {typeof step === 'object' && (
        <SecretDialog clientId={step.id} clientSecret={step.clientSecret} onClose={() => go(step)} />
      )}
    </>
  );
}

interface NameFormProps {
  readonly onCancel: () => void;
  readonly onCreated: (created: Created) => void;
}

function NameForm({ onCancel, onCreated }: NameFormProps) {
  const draft = useDraft({ form: 'create', initial: { name: '' } });
  const { name } = draft.value;
  const create = async () => {
    const created = await call('POST /operator/v1/applications', { body: { name: name.trim() } });
    draft.reset();
    onCreated(created);
    await loadApplications();
  };
  return (
    <Dialog title="Create application" onClose={onCancel}>
      <Form submit="Create application" onCancel={onCancel} onSubmit={create}>
        <TextField
          label="Name"
          hint="Your users see this name on the consent page."
          value={name}
          onValue={(next) => draft.change({ name: next })}
          maxLength={128}
          autoComplete="off"
          required
          autofocus
        />
      </Form>
    </Dialog>
  );
}

import { type Answer, call } from '../../api/call.ts';
import { mayChange } from '../../api/session.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Show, useCall } from '../../parts/loaded.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { say } from '../../parts/toast.tsx';
import { AddClient } from './add-client.tsx';

type Client = Answer<'GET /operator/v1/applications/{applicationId}/agent-clients'>['items'][number];

const COLUMNS: readonly Column<Client>[] = [
  {
    title: 'Name and client ID',
    cell: ({ id, name }) => (
      <>
        {name}
        <br />
        <code>{id}</code>
      </>
    ),
  },
  {
    title: 'Redirect addresses',
    cell: ({ redirectUris }) => redirectUris.map((uri) => <div key={uri}>{uri}</div>),
  },
  { title: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

interface ClientsProps {
  readonly applicationId: string;
  readonly onDeleted: () => void;
}

/** The clients that were added by hand or by the application. */
export function Clients({ applicationId, onDeleted }: ClientsProps) {
  const path = { applicationId };
  const loaded = useCall('GET /operator/v1/applications/{applicationId}/agent-clients', { path });
  const remove = async ({ id, name }: Client) => {
    await call('DELETE /operator/v1/applications/{applicationId}/agent-clients/{agentClientId}', {
      path: { applicationId, agentClientId: id },
    });
    say(`“${name}” is deleted.`);
    loaded.reload();
    onDeleted();
  };
  const actions: Column<Client> = {
    title: 'Actions',
    cell: (client) => (
      <Confirm
        action="Delete"
        of={client.name}
        question={`Delete “${client.name}”?`}
        onConfirm={() => remove(client)}
      >
        <p>
          Everything that users gave it ends within seconds, with all its tokens, and nobody can sign in by
          its client ID any more. This cannot be undone: added again, it has another ID, and each user is
          asked anew.
        </p>
      </Confirm>
    ),
  };
  return (
    <section class="stack">
      <h2>Clients</h2>
      <p class="soft">
        Those that were added here or by your application. Clients that register themselves, or have a
        document of their own, need no entry: they stand below once a user gave them access.
      </p>
      <Show of={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <div class="empty">
              <p>There is none. Add one for each program that asks for a client ID.</p>
            </div>
          ) : (
            <Table
              caption="Clients"
              columns={mayChange() ? [...COLUMNS, actions] : COLUMNS}
              rows={items}
              keyOf={({ id }) => id}
            />
          )
        }
      </Show>
      {mayChange() && (
        <div class="actions">
          <AddClient applicationId={applicationId} onAdded={loaded.reload} />
        </div>
      )}
    </section>
  );
}

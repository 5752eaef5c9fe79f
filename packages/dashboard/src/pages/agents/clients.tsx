import { call, type ResponseOf } from '../../api/call.ts';
import { mayChange } from '../../api/session.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Show, useCall } from '../../parts/loaded.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { WholeTable } from '../../parts/whole-table.tsx';
import { AddClient } from './add-client.tsx';

type Client = ResponseOf<'GET /operator/v1/applications/{applicationId}/agent-clients'>['items'][number];

const COLUMNS: readonly Column<Client>[] = [
  {
    title: 'Name and client ID',
    value: ({ id, name }) => `${name} ${id}`,
    cell: ({ id, name }) => (
      <>
        <span class="long">{name}</span>
        <br />
        <code>{id}</code>
      </>
    ),
  },
  {
    title: 'Redirect URIs',
    value: ({ redirectUris }) => redirectUris.join(' '),
    cell: ({ redirectUris }) =>
      redirectUris.map((uri) => (
        <div key={uri} class="long">
          {uri}
        </div>
      )),
  },
  { title: 'Added', value: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

interface ClientsProps {
  readonly applicationId: string;
  readonly onDeleted: () => void;
}

export function Clients({ applicationId, onDeleted }: ClientsProps) {
  const path = { applicationId };
  const loaded = useCall('GET /operator/v1/applications/{applicationId}/agent-clients', { path });
  const remove = async ({ id, name }: Client) => {
    await call('DELETE /operator/v1/applications/{applicationId}/agent-clients/{agentClientId}', {
      path: { applicationId, agentClientId: id },
    });
    showToast(`Client “${name}” deleted.`);
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
          Within seconds, the service revokes all tokens of the client and all access that users granted to
          it, and the client ID stops working. You cannot undo this deletion: if you add the client again, it
          gets a new ID, and each user must give consent again.
        </p>
      </Confirm>
    ),
  };
  return (
    <section class="stack">
      <h2>Clients</h2>
      <p class="soft">
        This list shows clients that you or your application added. Clients that register themselves or
        publish a client metadata document appear under “Granted access” after a user grants them access.
      </p>
      <Show of={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty text="No clients yet. Add a client for each program that asks for a client ID." />
          ) : (
            <WholeTable
              caption="Clients"
              csvName="agent-clients"
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

import { useState } from 'preact/hooks';
import { addressOf, call, type RequestOf } from '../../api/call.ts';
import { withConnectors } from '../../api/catalogue.ts';
import { mayChange } from '../../api/session.ts';
import { timeOrderOf, useAddressFilters } from '../../parts/address-filters.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ExportLink } from '../../parts/export-link.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { ExpiryBadge, isLive } from '../../parts/state.tsx';
import type { Column, ColumnOrder } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { type Grant, originOf, permissionsOf } from './words.ts';

interface Row extends Grant {
  readonly permissions: string;
}

const columnsOf = (applicationId: string, order: ColumnOrder): readonly Column<Row>[] => [
  {
    title: 'User',
    cell: ({ identifier }) => <a href={hrefOf(PATHS.user, { applicationId, identifier })}>{identifier}</a>,
  },
  {
    title: 'Client',
    cell: ({ clientName, clientId }) => (
      <>
        <span class="long">{clientName}</span>
        <br />
        <span class="soft">{originOf(clientId)}</span>
      </>
    ),
  },
  { title: 'Permissions', cell: ({ permissions }) => permissions },
  {
    title: 'Granted on',
    order,
    cell: ({ createdAt, usedAt }) => (
      <>
        <Time at={createdAt} />
        <br />
        <span class="soft">
          Last token issued <Time at={usedAt} />
        </span>
      </>
    ),
  },
  { title: 'Status', cell: ExpiryBadge },
];

const COUNT = 'GET /operator/v1/applications/{applicationId}/agent-grants/count';
const EXPORT = 'GET /operator/v1/applications/{applicationId}/agent-grants/export';
const LIST = 'GET /operator/v1/applications/{applicationId}/agent-grants';

async function loadRows(request: RequestOf<typeof LIST>, signal: AbortSignal) {
  const { value, connectorOf } = await withConnectors(call(LIST, request, { signal }));
  const titleOf = (name: string) => connectorOf(name)?.title ?? name;
  const items = value.items.map(
    (grant): Row => ({ ...grant, permissions: permissionsOf(grant, request.path.applicationId, titleOf) }),
  );
  return { ...value, items };
}

const NONE =
  'No user has granted access yet. To test the access, paste the MCP server URL into a client and sign in as a user.';

interface GrantsProps {
  readonly applicationId: string;
  /** Key that changes when another part of the page may have revoked grants. The list then loads again. */
  readonly reloadKey: number;
}

export function Grants({ applicationId, reloadKey }: GrantsProps) {
  const [revoked, setRevoked] = useState(0);
  const addressFilters = useAddressFilters(['identifier', 'order']);
  const { filters, field } = addressFilters;
  const order = timeOrderOf(addressFilters);
  const { identifier } = filters;
  const query = identifier === '' ? {} : { identifier };
  const revoke = async (agentGrantId: string) => {
    await call('DELETE /operator/v1/applications/{applicationId}/agent-grants/{agentGrantId}', {
      path: { applicationId, agentGrantId },
    });
    showToast('Access revoked.');
    setRevoked(revoked + 1);
  };
  const columns = columnsOf(applicationId, order.column);
  const actions: Column<Row> = {
    title: 'Actions',
    cell: (grant) => isLive(grant) && <Revoke {...grant} onConfirm={() => revoke(grant.id)} />,
  };
  return (
    <section class="stack">
      <h2>Granted access</h2>
      <p class="soft">
        Granted access expires if the client gets no new token for 30 days. The limits that applied at the
        time of the consent stay in force. Agent tokens that your application creates are listed in the{' '}
        <a href={hrefOf(PATHS.application, { applicationId })}>developer settings</a>.
      </p>
      <search class="filters">
        <SearchField label="Exact user identifier" {...field('identifier')} />
      </search>
      <div class="actions">
        <ExportLink href={addressOf(EXPORT, { path: { applicationId }, query })} />
      </div>
      <PagedTable
        caption={`Granted access, ${order.words}`}
        columns={mayChange() ? [...columns, actions] : columns}
        keyOf={({ id }) => id}
        of={JSON.stringify([applicationId, identifier, order.words, reloadKey, revoked])}
        load={(page, signal) =>
          loadRows(
            { path: { applicationId }, query: { pageSize: 20, identifier, ...order.query, ...page } },
            signal,
          )
        }
        loadCount={(signal) => call(COUNT, { path: { applicationId }, query }, { signal })}
        empty={<Empty text={identifier === '' ? NONE : 'This user has not granted access to any client.'} />}
      />
    </section>
  );
}

interface RevokeProps extends Pick<Grant, 'clientName' | 'identifier'> {
  readonly onConfirm: () => Promise<void>;
}

const Revoke = ({ clientName, identifier, onConfirm }: RevokeProps) => (
  <Confirm
    action="Revoke"
    of={`${clientName} for ${identifier}`}
    question={`Revoke access for “${clientName}”?`}
    onConfirm={onConfirm}
  >
    <p>
      The client can no longer act for “{identifier}”. All tokens that the client got through this access, and
      all tokens created from them, stop working within seconds. The revocation does not undo completed calls.
      To get access again, the client needs a new consent from the user.
    </p>
  </Confirm>
);

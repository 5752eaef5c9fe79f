import { useState } from 'preact/hooks';
import { call, type Given } from '../../api/call.ts';
import { withConnectors } from '../../api/catalogue.ts';
import { mayChange } from '../../api/session.ts';
import { useAddressFilters } from '../../parts/address-filters.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Ending, isLive } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { say } from '../../parts/toast.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { cameBy, type Grant, mayOf } from './words.ts';

interface Row extends Grant {
  readonly may: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'User', cell: ({ identifier }) => identifier },
  {
    title: 'Client',
    cell: ({ clientName, clientId }) => (
      <>
        {clientName}
        <br />
        <span class="soft">{cameBy(clientId)}</span>
      </>
    ),
  },
  { title: 'What it may use', cell: ({ may }) => may },
  {
    title: 'Given',
    cell: ({ createdAt, usedAt }) => (
      <>
        <Time at={createdAt} />
        <br />
        <span class="soft">
          Last token <Time at={usedAt} />
        </span>
      </>
    ),
  },
  { title: 'State', cell: Ending },
];

const LIST = 'GET /operator/v1/applications/{applicationId}/agent-grants';

async function loadRows(asked: Given<typeof LIST>, signal: AbortSignal) {
  const { value, connectorOf } = await withConnectors(call(LIST, asked, { signal }));
  const titleOf = (name: string) => connectorOf(name)?.title ?? name;
  const items = value.items.map(
    (grant): Row => ({ ...grant, may: mayOf(grant, asked.path.applicationId, titleOf) }),
  );
  return { ...value, items };
}

const NONE =
  'No user has given a client access yet. Paste the address above into one and sign in there as a user, to see what your users will.';

interface GrantsProps {
  readonly applicationId: string;
  /** A counter that changes when grants may have ended elsewhere on the page. */
  readonly turn: number;
}

/** The access that users gave to clients. */
export function Grants({ applicationId, turn }: GrantsProps) {
  const [revoked, setRevoked] = useState(0);
  const { filters, field } = useAddressFilters(['identifier']);
  const { identifier } = filters;
  const revoke = async (agentGrantId: string) => {
    await call('DELETE /operator/v1/applications/{applicationId}/agent-grants/{agentGrantId}', {
      path: { applicationId, agentGrantId },
    });
    say('The access is revoked.');
    setRevoked(revoked + 1);
  };
  const actions: Column<Row> = {
    title: 'Actions',
    cell: (grant) => isLive(grant) && <Revoke {...grant} onConfirm={() => revoke(grant.id)} />,
  };
  return (
    <section class="stack">
      <h2>Access that users gave</h2>
      <p class="soft">
        It ends by itself 30 days after its last token. The limits of the day on which a user agreed hold
        besides. Tokens that your application makes for agents itself are in the{' '}
        <a href={hrefOf(PATHS.application, { applicationId })}>developer settings</a>.
      </p>
      <search class="filters">
        <SearchField label="Identifier in full" {...field('identifier')} />
      </search>
      <PagedTable
        caption="Access that users gave, newest first"
        columns={mayChange() ? [...COLUMNS, actions] : COLUMNS}
        keyOf={({ id }) => id}
        of={JSON.stringify([applicationId, identifier, turn, revoked])}
        load={(page, signal) =>
          loadRows({ path: { applicationId }, query: { pageSize: 20, identifier, ...page } }, signal)
        }
        empty={
          <div class="empty">
            <p>{identifier === '' ? NONE : 'This user has given no client access.'}</p>
          </div>
        }
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
    of={`${clientName} of ${identifier}`}
    question={`Revoke the access of “${clientName}”?`}
    onConfirm={onConfirm}
  >
    <p>
      It can do nothing for “{identifier}” any more: every token of it ends within seconds, those that were
      made narrower too. What it did stays done. To have access again, it has to ask the user anew.
    </p>
  </Confirm>
);

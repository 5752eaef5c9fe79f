import { useState } from 'preact/hooks';
import { addressOf, call, type ResponseOf } from '../../api/call.ts';
import { mayChange } from '../../api/session.ts';
import { timeOrderOf, useAddressFilters } from '../../parts/address-filters.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { ExportLink } from '../../parts/export-link.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { ExpiryBadge } from '../../parts/state.tsx';
import type { Column, ColumnOrder } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { limitsInWords } from './limits-in-words.ts';

type Token = ResponseOf<'GET /operator/v1/applications/{applicationId}/agent-tokens'>['items'][number];
type Kind = 'account' | 'agent';

const KINDS: readonly { readonly kind: Kind; readonly title: string }[] = [
  { kind: 'agent', title: 'Agent tokens' },
  { kind: 'account', title: 'Browser tokens' },
];

const columnsOf = (order: ColumnOrder): readonly Column<Token>[] => [
  {
    title: 'User and token',
    cell: ({ id, limits }) => (
      <>
        <span class="long">{limits.identifier}</span>
        <br />
        <code>{id}</code>
      </>
    ),
  },
  { title: 'Limits', cell: ({ limits }) => limitsInWords(limits) },
  { title: 'Status', cell: ExpiryBadge },
  { title: 'Created', order, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export function Tokens({ applicationId }: { readonly applicationId: string }) {
  const addressFilters = useAddressFilters(['identifier', 'order']);
  const { filters, field } = addressFilters;
  return (
    <section class="panel">
      <h2>Agent and browser tokens</h2>
      <p class="soft">
        Your application creates agent tokens with <code>agentToken</code> and browser tokens with{' '}
        <code>accountToken</code>. Each token is for one user and has limits.
      </p>
      <search class="filters">
        <SearchField label="User" {...field('identifier')} />
      </search>
      {KINDS.map(({ kind, title }) => (
        <TokensOfKind
          key={kind}
          applicationId={applicationId}
          identifier={filters.identifier}
          order={timeOrderOf(addressFilters)}
          kind={kind}
          title={title}
        />
      ))}
    </section>
  );
}

interface OfKindProps {
  readonly applicationId: string;
  /** Identifier of the user whose tokens are listed. Empty for all users. */
  readonly identifier: string;
  readonly order: ReturnType<typeof timeOrderOf>;
  readonly kind: Kind;
  readonly title: string;
}

function TokensOfKind({ applicationId, identifier, kind, title, order }: OfKindProps) {
  const columns = columnsOf(order.column);
  const [changes, setChanges] = useState(0);
  const query = identifier === '' ? {} : { identifier };
  const revoke = async (id: string) => {
    await revokeToken(applicationId, kind, id);
    showToast('Token revoked.');
    setChanges(changes + 1);
  };
  const actions: Column<Token> = {
    title: 'Actions',
    cell: ({ id, revokedAt }) =>
      revokedAt === null && (
        <Confirm action="Revoke" of={id} question="Revoke this token?" onConfirm={() => revoke(id)}>
          <p>
            The token and all tokens created from it stop working within seconds. You cannot undo this
            revocation.
          </p>
        </Confirm>
      ),
  };
  return (
    <>
      <h3>{title}</h3>
      <div class="actions">
        <ExportLink
          href={addressOf(`GET /operator/v1/applications/{applicationId}/${kind}-tokens/export`, {
            path: { applicationId },
            query,
          })}
        />
      </div>
      <PagedTable
        caption={title}
        columns={mayChange() ? [...columns, actions] : columns}
        keyOf={({ id }) => id}
        of={JSON.stringify([applicationId, kind, identifier, order.words, changes])}
        load={(page, signal) =>
          call(
            `GET /operator/v1/applications/{applicationId}/${kind}-tokens`,
            { path: { applicationId }, query: { pageSize: 20, identifier, ...order.query, ...page } },
            { signal },
          )
        }
        loadCount={(signal) =>
          call(
            `GET /operator/v1/applications/{applicationId}/${kind}-tokens/count`,
            { path: { applicationId }, query },
            { signal },
          )
        }
        empty={
          <p>
            No {title.toLowerCase()} {identifier === '' ? 'yet' : 'for this user'}.
          </p>
        }
      />
    </>
  );
}

const revokeToken = (applicationId: string, kind: Kind, id: string) =>
  kind === 'agent'
    ? call('DELETE /operator/v1/applications/{applicationId}/agent-tokens/{agentTokenId}', {
        path: { applicationId, agentTokenId: id },
      })
    : call('DELETE /operator/v1/applications/{applicationId}/account-tokens/{accountTokenId}', {
        path: { applicationId, accountTokenId: id },
      });

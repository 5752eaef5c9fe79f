import { useLocation } from 'preact-iso';
import { applications } from '../../application-choice.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Show, useCall } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { grouped } from '../../words/numbers.ts';
import {
  FOUND_TITLES,
  type Found,
  type FoundKind,
  foundHref,
  foundState,
  nothingFound,
  type SearchResult,
} from '../../words/search.ts';
import { titleOfAction } from '../audit/words.ts';
import { FailedRequests } from './failed-requests.tsx';

export function SearchPage() {
  const { query } = useLocation();
  const q = (query['q'] ?? '').trim();
  return (
    <Page
      title="Search"
      about="Finds requests, calls, audit events and other objects by an ID or its beginning, and users by any part of their identifiers."
    >
      {q === '' ? <p>Type an ID or part of an identifier in the search field.</p> : <Results key={q} q={q} />}
    </Page>
  );
}

function Results({ q }: { readonly q: string }) {
  const result = useCall('GET /operator/v1/search', { query: { q } });
  return (
    <Show of={result}>
      {(found) => (
        <>
          <p role="status">
            Results for <code>{q}</code>
          </p>
          {found.groups.length === 0 && <Empty text={nothingFound(found)} />}
          {found.groups.map((group) =>
            group.kind === 'failedRequest' ? (
              <FailedRequests key={group.kind} {...group} />
            ) : (
              <Group key={group.kind} group={group} />
            ),
          )}
          <Limit result={found} />
        </>
      )}
    </Show>
  );
}

const Limit = ({ result: { searchedAccounts } }: { readonly result: SearchResult }) =>
  searchedAccounts === undefined ? null : (
    <Notice tone="warn">
      Inside identifiers, the service searched only {grouped(searchedAccounts)} connected accounts and as many
      other users, so more users may match. To search all users, type the beginning of the identifier.
    </Notice>
  );

const titleOf = (kind: FoundKind, { title }: Found): string =>
  kind === 'auditEvent' ? titleOfAction(title) : title;

const nameOf = (applicationId: string): string =>
  applications.value?.find(({ id }) => id === applicationId)?.name ?? applicationId;

const columnsOf = (kind: FoundKind, items: readonly Found[]): readonly Column<Found>[] => [
  {
    title: kind === 'user' ? 'Identifier' : 'Name and ID',
    cell: (found) => (
      <>
        <a href={foundHref(kind, found)}>{titleOf(kind, found)}</a>
        {kind !== 'user' && (
          <>
            <br />
            <code class="soft">{found.id}</code>
          </>
        )}
      </>
    ),
  },
  ...(items.some(({ state }) => state !== undefined)
    ? [{ title: 'Outcome or status', cell: (found: Found) => foundState(kind, found) }]
    : []),
  {
    title: 'Application',
    cell: ({ applicationId }) =>
      applicationId !== null && (
        <a href={hrefOf(PATHS.application, { applicationId })}>{nameOf(applicationId)}</a>
      ),
  },
  ...(kind === 'user' ? [] : [{ title: 'Time', cell: ({ at }: Found) => at && <Time at={at} /> }]),
];

const Group = ({ group: { kind, items, hasMore } }: { readonly group: SearchResult['groups'][number] }) => (
  <section class="stack" aria-labelledby={`found-${kind}`}>
    <h2 id={`found-${kind}`}>
      {FOUND_TITLES[kind]} ({hasMore ? `more than ${items.length}` : items.length})
    </h2>
    <Table
      caption={FOUND_TITLES[kind]}
      columns={columnsOf(kind, items)}
      rows={items}
      keyOf={({ applicationId, id }) => `${applicationId} ${id}`}
    />
    {hasMore && <p class="soft">Only {items.length} are shown. Type more characters to narrow the search.</p>}
  </section>
);

import { useEffect, useState } from 'preact/hooks';
import { addressOf, call, type RequestOf } from '../../api/call.ts';
import { listConnections } from '../../api/connections.ts';
import { applications } from '../../application-choice.tsx';
import { useAddressFilters } from '../../parts/address-filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable, type PageQuery } from '../../parts/paged-table.tsx';
import type { Column } from '../../parts/table.tsx';
import { ExactTime } from '../../parts/time.tsx';
import { AuditFilters, FILTERS } from './filters.tsx';
import { type AuditEvent, type Names, whatOf, whoOf } from './words.ts';

const columns = (names: Names): readonly Column<AuditEvent>[] => [
  { title: 'Time', cell: ({ at }) => <ExactTime at={at} /> },
  { title: 'Event', cell: (event) => <EventCell event={event} names={names} /> },
];

const FACTS: readonly { readonly title: string; readonly of: keyof AuditEvent }[] = [
  { title: 'Action', of: 'action' },
  { title: 'Object', of: 'object' },
  { title: 'Reason', of: 'reason' },
  { title: 'IP address', of: 'address' },
  { title: 'Request ID', of: 'requestId' },
  { title: 'Event ID', of: 'id' },
];

const EventCell = ({ event, names }: { readonly event: AuditEvent; readonly names: Names }) => (
  <details>
    <summary>
      <strong>{whoOf(event.actor, names)}</strong> {whatOf(event, names)}
    </summary>
    <dl class="facts">
      {FACTS.filter(({ of }) => event[of] !== null).map(({ title, of }) => (
        <Fact key={of} title={title}>
          <code>{event[of]}</code>
        </Fact>
      ))}
    </dl>
  </details>
);

type Query = RequestOf<'GET /operator/v1/audit-events'>['query'];

/**
 * Loads the next page that contains events. The service searches a limited number of events per request, so it may
 * return an empty page.
 */
async function loadPage(query: Query, signal: AbortSignal) {
  const page = await call('GET /operator/v1/audit-events', { query: { ...query, pageSize: 50 } }, { signal });
  if (page.items.length > 0 || page.nextPageToken === undefined) return page;
  return loadPage({ ...query, pageToken: page.nextPageToken }, signal);
}

export function Audit() {
  const addressFilters = useAddressFilters(FILTERS);
  const { filters, setFilters } = addressFilters;
  const [events, setEvents] = useState<readonly AuditEvent[]>([]);
  const names = useNames(events);
  const isFiltered = FILTERS.some((name) => filters[name] !== '');
  const query = Object.fromEntries(FILTERS.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])));
  const load = async (page: PageQuery, signal: AbortSignal) => {
    const loaded = await loadPage({ ...query, ...page }, signal);
    setEvents(loaded.items);
    return loaded;
  };
  return (
    <Page
      title="Audit log"
      about="Every change in this service, with the actor and IP address. Nobody can edit the audit log."
      actions={(['csv', 'jsonl'] as const).map((format) => (
        <a
          key={format}
          class="button"
          href={addressOf('GET /operator/v1/audit-events/export', { query: { format, ...query } })}
          download
        >
          Export {format === 'csv' ? 'CSV' : 'JSON Lines'}
        </a>
      ))}
    >
      <AuditFilters {...addressFilters} />
      <PagedTable
        of={JSON.stringify(query)}
        caption="Audit events, newest first"
        columns={columns(names)}
        keyOf={({ id }) => id}
        load={load}
        empty={
          <Empty text={isFiltered ? 'No audit event matches these filters.' : 'No audit events yet.'}>
            {isFiltered && (
              <button
                type="button"
                onClick={() => setFilters({ applicationId: '', action: '', actor: '', since: '', until: '' })}
              >
                Show all events
              </button>
            )}
          </Empty>
        }
      />
    </Page>
  );
}

async function loadConnections(applicationId: string): Promise<readonly (readonly [string, string])[]> {
  return (await listConnections(applicationId)).map(({ id, connectionName }) => [id, connectionName]);
}

/** Loads the names of the applications and connections in the listed events. Deleted objects have no name. */
function useNames(events: readonly AuditEvent[]): Names {
  const [connections, setConnections] = useState<Names>(new Map());
  const known = new Map((applications.value ?? []).map(({ id, name }) => [id, name]));
  const owners = [
    ...new Set(
      events.flatMap(({ applicationId, object }) =>
        applicationId !== null && known.has(applicationId) && object.startsWith('conn_')
          ? [applicationId]
          : [],
      ),
    ),
  ];
  useEffect(() => {
    let isCurrent = true;
    Promise.all(owners.map(loadConnections)).then(
      (lists) => isCurrent && setConnections(new Map(lists.flat())),
      // If a request fails, the table shows ids instead of names.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [owners.join()]);
  return new Map([...known, ...connections]);
}

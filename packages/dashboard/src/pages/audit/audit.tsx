import { useEffect, useState } from 'preact/hooks';
import { addressOf, call, type RequestOf } from '../../api/call.ts';
import { listConnections } from '../../api/connections.ts';
import { applications } from '../../application-choice.tsx';
import { timeOrderOf, useAddressFilters } from '../../parts/address-filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable, type PageQuery } from '../../parts/paged-table.tsx';
import { auditColumns } from './audit-columns.tsx';
import { AuditFilters, FILTERS } from './filters.tsx';
import type { AuditEvent, Names } from './words.ts';

const COUNT = 'GET /operator/v1/audit-events/count';

/**
 * Loads the next page that contains events. The service searches a limited number of events per request, so it may
 * return an empty page.
 */
async function loadPage(query: RequestOf<'GET /operator/v1/audit-events'>['query'], signal: AbortSignal) {
  const page = await call('GET /operator/v1/audit-events', { query: { ...query, pageSize: 50 } }, { signal });
  if (page.items.length > 0 || page.nextPageToken === undefined) return page;
  return loadPage({ ...query, pageToken: page.nextPageToken }, signal);
}

export function Audit() {
  const addressFilters = useAddressFilters(FILTERS);
  const { filters, setFilters } = addressFilters;
  const [events, setEvents] = useState<readonly AuditEvent[]>([]);
  const names = useNames(events);
  const isFiltered = FILTERS.some((name) => filters[name] !== '' && name !== 'order');
  const { order: _, ...filter } = filters;
  const query = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
  const order = timeOrderOf(addressFilters);
  const load = async (page: PageQuery, signal: AbortSignal) => {
    const loaded = await loadPage({ ...query, ...order.query, ...page }, signal);
    setEvents(loaded.items);
    return loaded;
  };
  return (
    <Page
      title="Audit log"
      about="Every change in this service, with the time, the IP address, and the person or program that made the change. Nobody can edit the audit log."
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
        of={JSON.stringify([query, order.words])}
        caption={`Audit events, ${order.words}`}
        columns={auditColumns(names, { order: order.column, hasUser: true })}
        keyOf={({ id }) => id}
        load={load}
        loadCount={(signal) => call(COUNT, { query }, { signal })}
        empty={
          <Empty text={isFiltered ? 'No audit event matches these filters.' : 'No audit events yet.'}>
            {isFiltered && (
              <button
                type="button"
                onClick={() => setFilters(Object.fromEntries(FILTERS.map((name) => [name, ''])))}
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

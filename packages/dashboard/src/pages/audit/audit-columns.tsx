import { Fact } from '../../parts/fact.tsx';
import type { Column } from '../../parts/table.tsx';
import { ExactTime } from '../../parts/time.tsx';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { type AuditEvent, type Names, whatOf, whoOf } from './words.ts';

/** Columns of a list of audit events. The list can show the user of each event. */
export const auditColumns = (
  names: Names,
  { order, hasUser }: { readonly order?: Column<AuditEvent>['order']; readonly hasUser: boolean },
): readonly Column<AuditEvent>[] => [
  { title: 'Time', ...(order && { order }), cell: ({ at }) => <ExactTime at={at} /> },
  { title: 'Event', cell: (event) => <EventCell event={event} names={names} /> },
  ...(hasUser ? [{ title: 'User of an application', cell: UserCell }] : []),
];

const UserCell = ({ applicationId, identifier }: AuditEvent) =>
  applicationId !== null &&
  identifier !== undefined && (
    <a class="long" href={hrefOf(PATHS.user, { applicationId, identifier })}>
      {identifier}
    </a>
  );

const FACTS: readonly { readonly title: string; readonly of: keyof AuditEvent }[] = [
  { title: 'Action', of: 'action' },
  { title: 'Object', of: 'object' },
  { title: 'Reason or details', of: 'reason' },
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
          {of === 'requestId' ? (
            <a href={withQuery(PATHS.search, { q: event.requestId ?? '' })}>
              <code>{event.requestId}</code>
            </a>
          ) : (
            <code>{event[of]}</code>
          )}
        </Fact>
      ))}
    </dl>
  </details>
);

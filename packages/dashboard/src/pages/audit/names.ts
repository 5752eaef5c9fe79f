import { useEffect, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { applications } from '../../application-choice.tsx';
import type { AuditEvent, Names } from './words.ts';

async function loadConnections(applicationId: string): Promise<readonly (readonly [string, string])[]> {
  const { items } = await call('GET /operator/v1/applications/{applicationId}/connections', {
    path: { applicationId },
    query: { pageSize: 200 },
  });
  return items.map(({ id, connectionName }) => [id, connectionName]);
}

/** The names of what the events are about, as far as it is still there: they come after the events. */
export function useNames(events: readonly AuditEvent[]): Names {
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
      // Without names the ids stand there.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [owners.join()]);
  return new Map([...known, ...connections]);
}

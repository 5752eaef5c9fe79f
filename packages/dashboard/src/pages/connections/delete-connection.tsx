import { useLocation } from 'preact-iso';
import { call } from '../../api/call.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { say } from '../../parts/toast.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { allOf, type ConnectionPlace, type Summary } from './account-summary.tsx';

interface DeleteConnectionProps {
  readonly place: ConnectionPlace;
  /** Absent while it is not known. */
  readonly summary: Summary | undefined;
}

export function DeleteConnection({ place, summary }: DeleteConnectionProps) {
  const { route } = useLocation();
  const remove = async () => {
    await call('DELETE /operator/v1/applications/{applicationId}/connections/{connectionName}', {
      path: place,
    });
    say(`“${place.connectionName}” is deleted.`);
    route(hrefOf(PATHS.connections, place));
  };
  return (
    <section class="panel" aria-labelledby="delete">
      <h2 id="delete">Delete</h2>
      <p>Its accounts go with it, and calls that name the connection fail from then on.</p>
      <Confirm action="Delete connection" question={`Delete “${place.connectionName}”?`} onConfirm={remove}>
        <p>
          It has {summary === undefined ? 'accounts that could not be counted' : allOf(summary)}. Each access
          is ended at the upstream and deleted here: its user has to approve again, or to give their key
          again.
        </p>
        <p>This cannot be undone. With many accounts it takes a while.</p>
      </Confirm>
    </section>
  );
}

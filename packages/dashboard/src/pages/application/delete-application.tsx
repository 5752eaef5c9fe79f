import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { call } from '../../api/call.ts';
import { listConnections } from '../../api/connections.ts';
import { type Application, loadApplications } from '../../application-choice.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { PLAIN, TextField } from '../../parts/field.tsx';
import { Show, useLoaded } from '../../parts/loaded.tsx';
import { showToast } from '../../parts/toast.tsx';
import { PATHS } from '../../paths.ts';

/** Shows the button that deletes an application. The operator has to type the application's name to confirm. */
export function DeleteApplication({ application: { id, name } }: { readonly application: Application }) {
  const [typed, setTyped] = useState('');
  const { route } = useLocation();
  const remove = async () => {
    if (typed.trim() !== name) throw new Error(`Type ${name} to confirm.`);
    await call('DELETE /operator/v1/applications/{applicationId}', { path: { applicationId: id } });
    await loadApplications();
    showToast(`${name} deleted.`);
    route(PATHS.applications);
  };
  return (
    <section class="panel">
      <h2>Delete</h2>
      <p class="soft">
        “Delete application” deletes the application with all its connections, accounts and tokens.
      </p>
      <Confirm action="Delete application" question={`Delete ${name}?`} onConfirm={remove}>
        <Losses applicationId={id} />
        <TextField label={`Type ${name} to confirm`} value={typed} onValue={setTyped} {...PLAIN} />
      </Confirm>
    </section>
  );
}

function Losses({ applicationId }: { readonly applicationId: string }) {
  const loaded = useLoaded(applicationId, (signal) => listConnections(applicationId, signal));
  return (
    <>
      <p>The service permanently deletes the following data, which even a backup cannot restore:</p>
      <ul>
        <Show of={loaded}>
          {(connections) =>
            connections.length > 0 && (
              <li>
                the connections {connections.map(({ connectionName }) => connectionName).join(', ')}, with all
                connected accounts, so that users must give consent again
              </li>
            )
          }
        </Show>
        <li>the client secrets and tokens, so that programs stop working immediately</li>
        <li>the recorded executions</li>
      </ul>
      <p class="soft">
        The service keeps the audit log, and revokes the access at upstreams that support revocation.
      </p>
    </>
  );
}

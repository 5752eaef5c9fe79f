import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { call } from '../../api/call.ts';
import { listConnections } from '../../api/connections.ts';
import { type Application, loadApplications } from '../../application-choice.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { PLAIN, TextField } from '../../parts/field.tsx';
import { Show, useLoaded } from '../../parts/loaded.tsx';
import { say } from '../../parts/toast.tsx';
import { PATHS } from '../../paths.ts';

/** Deletes the application after its name was typed. */
export function DeleteApplication({ application: { id, name } }: { readonly application: Application }) {
  const [typed, setTyped] = useState('');
  const { route } = useLocation();
  const remove = async () => {
    if (typed.trim() !== name) throw new Error(`Type ${name} to confirm.`);
    await call('DELETE /operator/v1/applications/{applicationId}', { path: { applicationId: id } });
    await loadApplications();
    say(`${name} is deleted.`);
    route(PATHS.applications);
  };
  return (
    <section class="panel">
      <h2>Delete</h2>
      <p class="soft">For an application that nobody uses any more.</p>
      <Confirm action="Delete the application" question={`Delete ${name}?`} onConfirm={remove}>
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
      <p>Lost for good, and no backup opens it again:</p>
      <ul>
        <Show of={loaded}>
          {(connections) =>
            connections.length > 0 && (
              <li>
                the connections {connections.map(({ connectionName }) => connectionName).join(', ')}, with
                every account that your users connected: they would have to agree again
              </li>
            )
          }
        </Show>
        <li>its client secrets and tokens: programs that use them stop working at once</li>
        <li>what was recorded of its calls</li>
      </ul>
      <p class="soft">
        The audit log keeps what was done. Where a service allows it, access is taken back there too.
      </p>
    </>
  );
}

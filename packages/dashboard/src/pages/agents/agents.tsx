import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { mayChange } from '../../api/session.ts';
import { Show, useLoaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { loadAccess } from './access.ts';
import { ClientAddress } from './client-address.tsx';
import { Clients } from './clients.tsx';
import { Grants } from './grants.tsx';
import { AccessFacts, SignInPlace } from './sign-in-place.tsx';

/** The access of MCP clients: the sign-in of users, the clients, and the grants. */
export function Agents() {
  const { applicationId = '' } = useRoute().params;
  const access = useLoaded(applicationId, (signal) => loadAccess(applicationId, signal));
  const [deleted, setDeleted] = useState(0);
  return (
    <Page
      title="Agents"
      about="Programs such as Claude that work for your users over MCP: where users sign in for them, which there are, and who gave them access."
    >
      <div class="settings" key={applicationId}>
        <Show of={access}>
          {(found) => (
            <>
              {mayChange() ? (
                <SignInPlace applicationId={applicationId} access={found} onChange={access.reload} />
              ) : (
                <AccessFacts access={found} />
              )}
              {found && <ClientAddress applicationId={applicationId} access={found} />}
            </>
          )}
        </Show>
      </div>
      <Clients applicationId={applicationId} onDeleted={() => setDeleted(deleted + 1)} />
      <Grants applicationId={applicationId} turn={deleted} />
    </Page>
  );
}

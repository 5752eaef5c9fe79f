import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { mayChange } from '../../api/session.ts';
import { Show, useLoaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { loadAccess } from './access.ts';
import { ClientAddress } from './client-address.tsx';
import { Clients } from './clients.tsx';
import { Grants } from './grants.tsx';
import { AccessFacts, SignInSettings } from './sign-in-settings.tsx';

export function Agents() {
  const { applicationId = '' } = useRoute().params;
  const access = useLoaded(applicationId, (signal) => loadAccess(applicationId, signal));
  const [deleted, setDeleted] = useState(0);
  return (
    <Page
      title="Agents"
      about="MCP clients, such as Claude, that act for your users. Here you set up the user sign-in, add clients and revoke access."
    >
      <div class="settings">
        <Show of={access}>
          {({ access: settings, etag }) => (
            <>
              {mayChange() ? (
                <SignInSettings
                  applicationId={applicationId}
                  access={settings}
                  etag={etag}
                  onChange={access.reload}
                />
              ) : (
                <AccessFacts access={settings} />
              )}
              {settings && <ClientAddress applicationId={applicationId} access={settings} />}
            </>
          )}
        </Show>
      </div>
      <Clients applicationId={applicationId} onDeleted={() => setDeleted(deleted + 1)} />
      <Grants applicationId={applicationId} reloadKey={deleted} />
    </Page>
  );
}

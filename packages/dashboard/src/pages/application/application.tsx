import { useRoute } from 'preact-iso';
import { mayChange } from '../../api/session.ts';
import { Show, useCall } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { PATHS } from '../../paths.ts';
import { Credentials } from './credentials.tsx';
import { DeleteApplication } from './delete-application.tsx';
import { Production } from './production.tsx';
import { SetUp } from './set-up.tsx';
import { Appearance, BrowserUrls, PageOrigins, ReadOnly, TokenImport } from './settings.tsx';
import { Tokens } from './tokens.tsx';

const TRAIL = [{ title: 'Applications', href: PATHS.applications }];

export function ApplicationPage() {
  const { params } = useRoute();
  const applicationId = params['applicationId'] ?? '';
  const loaded = useCall('GET /operator/v1/applications/{applicationId}', { path: { applicationId } });
  return (
    <Page
      title="Developer settings"
      trail={TRAIL}
      about={
        loaded.value && (
          <>
            Credentials and settings of the application <strong>{loaded.value.name}</strong>, created{' '}
            <Time at={loaded.value.createdAt} />.
          </>
        )
      }
    >
      <div class="settings">
        {(loaded.error === undefined || loaded.value !== undefined) && (
          <>
            <Credentials applicationId={applicationId} />
            <SetUp applicationId={applicationId} />
            <Tokens applicationId={applicationId} />
          </>
        )}
        <Show of={loaded}>
          {(application) =>
            mayChange() ? (
              <>
                <Appearance application={application} onChange={loaded.reload} />
                <BrowserUrls application={application} onChange={loaded.reload} />
                <PageOrigins application={application} onChange={loaded.reload} />
                <TokenImport application={application} onChange={loaded.reload} />
                <Production application={application} onChange={loaded.reload} />
                <DeleteApplication application={application} />
              </>
            ) : (
              <ReadOnly application={application} />
            )
          }
        </Show>
      </div>
    </Page>
  );
}

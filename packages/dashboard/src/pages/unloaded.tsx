import { ErrorNotice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';

const REASON = new Error(
  'The browser could not load the files of this page. Either the service is unreachable, or it was updated. Select “Try again” to reload the window.',
);

/**
 * Replaces a page whose script failed to load. The retry reloads the window, because an update of the service changes
 * the file names.
 */
export const Unloaded = () => (
  <Page title="This page could not be loaded">
    <ErrorNotice error={REASON} retry={() => location.reload()} />
  </Page>
);

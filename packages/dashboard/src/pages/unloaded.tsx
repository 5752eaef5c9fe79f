import { ErrorNotice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';

const REASON = new Error(
  'The service cannot be reached, or it was updated since this window was opened. What the page needs did not come.',
);

/** Shown when the file of a page failed to load. Retry reloads the window, because an update has other files. */
export const Unloaded = () => (
  <Page title="This page could not be loaded">
    <ErrorNotice error={REASON} retry={() => location.reload()} />
  </Page>
);

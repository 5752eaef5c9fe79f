import { ErrorNotice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';

const REASON = new Error(
  'The service cannot be reached, or it was updated since this window was opened. What the page needs did not come.',
);

/** In the place of a page that did not come. The whole window is loaded anew, because an update has other files. */
export const Unloaded = () => (
  <Page title="This page could not be loaded">
    <ErrorNotice error={REASON} retry={() => location.reload()} />
  </Page>
);

import { session } from '../api/session.ts';
import { Page } from '../parts/page.tsx';

export const Overview = () => (
  <Page title="Overview" about={`Signed in as ${session.value?.name}.`}>
    <p />
  </Page>
);

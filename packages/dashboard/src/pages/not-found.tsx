import { Page } from '../parts/page.tsx';

export const NotFound = () => (
  <Page title="There is no such page" about="Perhaps what it showed was deleted, or the address was cut off.">
    <p>
      <a href="/dashboard">Go to the overview</a>
    </p>
  </Page>
);

import type { Application } from '../../application-choice.tsx';

/** The settings for those who may only look. */
export const ReadOnly = ({ application }: { readonly application: Application }) => (
  <section class="panel">
    <h2>Settings</h2>
    <dl class="facts">
      <dt>Name</dt>
      <dd>{application.name}</dd>
      <dt>Production</dt>
      <dd>{application.production ? 'Yes: every account is verified' : 'No: in development'}</dd>
      <dt>Verify URL</dt>
      <dd>{application.verifyUrl ?? 'None'}</dd>
      <dt>Redirect URLs</dt>
      <dd>{application.redirectUrls.join(', ') || 'None'}</dd>
      <dt>Origins of pages</dt>
      <dd>{application.origins.join(', ') || 'None'}</dd>
    </dl>
  </section>
);

import { useState } from 'preact/hooks';
import { Badge } from '../../parts/badge.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { say } from '../../parts/toast.tsx';
import { PATHS } from '../../paths.ts';
import { type ChangeProps, changeApplication } from './change.ts';
import { missingForProduction } from './missing-for-production.ts';

/** Whether real users come. */
export function Production({ application, onChange }: ChangeProps) {
  const [isOpen, setOpen] = useState(false);
  const { production } = application;
  const missing = missingForProduction(application);
  const change = async () => {
    await changeApplication(application.id, { production: !production });
    setOpen(false);
    say(production ? 'The application is in development again.' : 'The application is in production.');
    onChange();
  };
  const action = production ? 'Go back to development' : 'Switch to production';
  return (
    <section class="panel">
      <h2>Production</h2>
      <p>
        {production ? <Badge tone="good">In production</Badge> : <Badge tone="soft">In development</Badge>}
      </p>
      <p class="soft">
        {production
          ? 'No account is connected unless your application has said at its verify URL whose browser it was. The verify URL cannot be taken away.'
          : 'While you develop, a click on the connect page is enough where there is no verify URL. With real users, whoever gets hold of a link could connect an account of their own in the name of your user.'}
      </p>
      {!production && missing.length > 0 && (
        <Notice tone="warn">
          <p>Before you can switch:</p>
          <ul>
            {missing.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Notice>
      )}
      <button type="button" disabled={!production && missing.length > 0} onClick={() => setOpen(true)}>
        {action}
      </button>
      {isOpen && (
        <Dialog title={`${action}?`} onClose={() => setOpen(false)}>
          <p>
            {production
              ? 'Nothing changes for accounts that are connected. New ones still go by the verify URL, as long as there is one.'
              : `From now on, nobody is connected unless ${application.verifyUrl} confirms who it was. Accounts that are connected stay so.`}
          </p>
          <p class="soft">
            Whether the service itself is fit for real users, the page <a href={PATHS.health}>Health</a> says.
          </p>
          <Form submit={action} onCancel={() => setOpen(false)} onSubmit={change} />
        </Dialog>
      )}
    </section>
  );
}

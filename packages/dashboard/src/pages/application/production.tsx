import type { Application } from '../../application-choice.tsx';
import { DialogButton } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Badge } from '../../parts/state.tsx';
import { say } from '../../parts/toast.tsx';
import { PATHS } from '../../paths.ts';
import { type ChangeProps, changeApplication } from './settings.tsx';

/** The switch between development and production. */
export function Production({ application, onChange }: ChangeProps) {
  const { production } = application;
  const missing = missingForProduction(application);
  const change = async (close: () => void) => {
    await changeApplication(application.id, { production: !production });
    close();
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
      <DialogButton label={action} title={`${action}?`} disabled={!production && missing.length > 0}>
        {(close) => (
          <>
            <p>
              {production
                ? 'Nothing changes for accounts that are connected. New ones still go by the verify URL, as long as there is one.'
                : `From now on, nobody is connected unless ${application.verifyUrl} confirms who it was. Accounts that are connected stay so.`}
            </p>
            <p class="soft">
              Whether the service itself is fit for real users, the page <a href={PATHS.health}>Health</a>{' '}
              says.
            </p>
            <Form submit={action} onCancel={close} onSubmit={() => change(close)} />
          </>
        )}
      </DialogButton>
    </section>
  );
}

const LOOPBACK = /^(?:localhost|127\.|\[::1\])/;

/** The conditions for production that the application does not meet, in sentences. */
export function missingForProduction({ verifyUrl }: Pick<Application, 'verifyUrl'>): readonly string[] {
  if (verifyUrl === null)
    return ['Save a verify URL, so that your application says whose browser came back from the consent.'];
  const { protocol, hostname } = new URL(verifyUrl);
  if (protocol === 'https:' && !LOOPBACK.test(hostname)) return [];
  return [`Save a verify URL that your users' browsers reach by https: ${verifyUrl} is your own machine.`];
}

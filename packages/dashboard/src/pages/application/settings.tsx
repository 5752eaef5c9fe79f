import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call, type Given } from '../../api/call.ts';
import { type Application, loadApplications } from '../../application-choice.tsx';
import { Fact } from '../../parts/fact.tsx';
import { type Changeable, Labelled, linesOf, TextAreaField, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';

export interface ChangeProps {
  readonly application: Application;
  readonly onChange: () => void;
}

type Changes = Given<'PATCH /operator/v1/applications/{applicationId}'>['body'];

/** Changes the application, and the list of applications that the frame shows. */
export async function changeApplication(applicationId: string, body: Changes): Promise<void> {
  await call('PATCH /operator/v1/applications/{applicationId}', { path: { applicationId }, body });
  await loadApplications();
}

interface SettingsPanelProps extends ChangeProps {
  readonly title: string;
  readonly submit: string;
  readonly changes: Changes;
  /** The message after the changes are saved. */
  readonly saved: string;
  readonly children: ComponentChildren;
}

function SettingsPanel(props: SettingsPanelProps) {
  const { application, onChange, title, submit, changes, saved, children } = props;
  const save = async () => {
    await changeApplication(application.id, changes);
    say(saved);
    onChange();
  };
  return (
    <section class="panel">
      <h2>{title}</h2>
      <Form submit={submit} onSubmit={save}>
        {children}
      </Form>
    </section>
  );
}

/** The name and logo that users see on the connect pages. */
export function Appearance(props: ChangeProps) {
  const [name, setName] = useState(props.application.name);
  const [logo, setLogo] = useState(props.application.logo ?? null);
  return (
    <SettingsPanel
      {...props}
      title="How users see it"
      submit="Save name and logo"
      changes={{ name: name.trim(), logo }}
      saved="Name and logo are saved."
    >
      <TextField
        label="Name"
        hint="Your users read it when they are asked whether they agree."
        value={name}
        onValue={setName}
        maxLength={128}
        autoComplete="off"
        required
      />
      <LogoField value={logo} onValue={setLogo} />
    </SettingsPanel>
  );
}

/** A picture, kept as a data URL. */
function LogoField({ value, onValue }: Changeable<string | null>) {
  const [wrong, setWrong] = useState<string>();
  const take = async (input: HTMLInputElement) => {
    const [file] = input.files ?? [];
    if (file === undefined) return;
    try {
      onValue(await readLogo(file));
      setWrong(undefined);
    } catch (error) {
      input.value = '';
      setWrong(error instanceof Error ? error.message : 'This file cannot be read.');
    }
  };
  return (
    <>
      <Labelled
        label="Logo"
        hint="A square PNG or SVG of at most 32 KiB. It stands on the connect pages."
        wrong={wrong}
      >
        {(described) => (
          <input
            {...described}
            type="file"
            accept="image/png,image/svg+xml"
            onChange={(event) => take(event.currentTarget)}
          />
        )}
      </Labelled>
      {value !== null && (
        <div class="row">
          <span class="logo">
            <img src={value} alt="The logo as users will see it" />
          </span>
          <button type="button" class="small" onClick={() => onValue(null)}>
            Take the logo away
          </button>
        </div>
      )}
    </>
  );
}

/** The limit that the service sets for the data URL. */
export const MOST_LOGO_BYTES = 32 * 1024;
const TYPES = ['image/png', 'image/svg+xml'];

const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** The data URL of a picture. Throws an error with a sentence for the user. */
export async function readLogo(file: Blob): Promise<string> {
  if (!TYPES.includes(file.type)) throw new Error('The logo is a PNG or an SVG; this file is neither.');
  const dataUrl = `data:${file.type};base64,${toBase64(new Uint8Array(await file.arrayBuffer()))}`;
  if (dataUrl.length <= MOST_LOGO_BYTES) return dataUrl;
  const kibibytes = Math.ceil(dataUrl.length / 1024);
  throw new Error(`This picture takes ${kibibytes} KiB as text, and 32 is the most; make it smaller.`);
}

/** The addresses to which browsers of the application's users are sent. */
export function BrowserUrls(props: ChangeProps) {
  const [verifyUrl, setVerifyUrl] = useState(props.application.verifyUrl ?? '');
  const [redirectUrls, setRedirectUrls] = useState(props.application.redirectUrls.join('\n'));
  return (
    <SettingsPanel
      {...props}
      title="Where users are sent"
      submit="Save the URLs"
      changes={{ verifyUrl: verifyUrl.trim() || null, redirectUrls: linesOf(redirectUrls) }}
      saved="The URLs are saved."
    >
      <TextField
        label="Verify URL"
        type="url"
        hint={
          <>
            After a user has agreed, the browser comes here, and your application says whose browser it is: by{' '}
            <code>accounts.verify</code> with the user of its own session. So a link that reached the wrong
            person connects nothing.
          </>
        }
        placeholder="https://app.example.com/connected"
        value={verifyUrl}
        onValue={setVerifyUrl}
        maxLength={2048}
      />
      <TextAreaField
        label="Redirect URLs"
        hint="One a line. Links may send a browser to these in the end (successUrl, failureUrl), and nowhere else; they are compared letter by letter."
        placeholder="https://app.example.com/settings"
        rows={3}
        value={redirectUrls}
        onValue={setRedirectUrls}
      />
    </SettingsPanel>
  );
}

/** The origins of pages that call the service themselves. */
export function PageOrigins(props: ChangeProps) {
  const [origins, setOrigins] = useState(props.application.origins.join('\n'));
  return (
    <SettingsPanel
      {...props}
      title="Pages that call the service"
      submit="Save the origins"
      changes={{ origins: linesOf(origins) }}
      saved="The origins are saved."
    >
      <TextAreaField
        label="Origins"
        hint="One a line, as browsers send it: without a path. Pages from there may call the service with a token for their user (accountToken); with the application's own token no page may."
        placeholder="https://app.example.com"
        rows={2}
        value={origins}
        onValue={setOrigins}
      />
    </SettingsPanel>
  );
}

/** The settings for operators with read-only access. */
export const ReadOnly = ({ application }: { readonly application: Application }) => (
  <section class="panel">
    <h2>Settings</h2>
    <dl class="facts">
      <Fact title="Name">{application.name}</Fact>
      <Fact title="Production">
        {application.production ? 'Yes: every account is verified' : 'No: in development'}
      </Fact>
      <Fact title="Verify URL">{application.verifyUrl ?? 'None'}</Fact>
      <Fact title="Redirect URLs">{application.redirectUrls.join(', ') || 'None'}</Fact>
      <Fact title="Origins of pages">{application.origins.join(', ') || 'None'}</Fact>
    </dl>
  </section>
);

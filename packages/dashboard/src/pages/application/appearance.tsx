import { useState } from 'preact/hooks';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { type ChangeProps, changeApplication } from './change.ts';
import { LogoField } from './logo-field.tsx';

/** How users see the application on the connect pages. */
export function Appearance({ application, onChange }: ChangeProps) {
  const [name, setName] = useState(application.name);
  const [logo, setLogo] = useState(application.logo ?? null);
  const save = async () => {
    await changeApplication(application.id, { name: name.trim(), logo });
    say('Name and logo are saved.');
    onChange();
  };
  return (
    <section class="panel">
      <h2>How users see it</h2>
      <Form submit="Save name and logo" onSubmit={save}>
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
      </Form>
    </section>
  );
}

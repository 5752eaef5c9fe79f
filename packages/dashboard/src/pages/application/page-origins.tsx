import { useState } from 'preact/hooks';
import { TextAreaField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/toast.tsx';
import { type ChangeProps, changeApplication } from './change.ts';
import { linesOf } from './lines-of.ts';

/** Where pages come from that call the service themselves. */
export function PageOrigins({ application, onChange }: ChangeProps) {
  const [origins, setOrigins] = useState(application.origins.join('\n'));
  const save = async () => {
    await changeApplication(application.id, { origins: linesOf(origins) });
    say('The origins are saved.');
    onChange();
  };
  return (
    <section class="panel">
      <h2>Pages that call the service</h2>
      <Form submit="Save the origins" onSubmit={save}>
        <TextAreaField
          label="Origins"
          hint="One a line, as browsers send it: without a path. Pages from there may call the service with a token for their user (accountToken); with the application's own token no page may."
          placeholder="https://app.example.com"
          rows={2}
          value={origins}
          onValue={setOrigins}
        />
      </Form>
    </section>
  );
}

import { useState } from 'preact/hooks';
import { Code } from '../../parts/copy.tsx';
import { SelectField } from '../../parts/field.tsx';
import { curlSample, packageSample, type SampledCall, toolSample } from './code-samples.ts';

const WAYS = [
  { value: 'package', title: 'TypeScript, with the typed package', write: packageSample },
  { value: 'name', title: 'TypeScript, by the name of the tool', write: toolSample },
  { value: 'curl', title: 'curl', write: curlSample },
] as const;

/** The call that is being typed, as a program makes it. */
export function SameCall({ sampled }: { readonly sampled: SampledCall }) {
  const [way, setWay] = useState<string>(WAYS[0].value);
  const { title, write } = WAYS.find(({ value }) => value === way) ?? WAYS[0];
  return (
    <section class="panel" aria-labelledby="same-call">
      <h2 id="same-call">Same call in code</h2>
      <SelectField label="Written in" value={way} choices={WAYS} onValue={setWay} />
      <Code text={write(sampled)} what={`The call in ${title}`} />
    </section>
  );
}

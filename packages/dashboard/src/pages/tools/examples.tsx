import type { JsonObject } from '@svc/catalog/rules';
import { useId, useState } from 'preact/hooks';
import type { Tool } from '../../api/catalogue.ts';

interface ExamplesProps {
  readonly examples: NonNullable<Tool['examples']>;
  readonly onExample: (input: JsonObject) => void;
}

/** Inputs of the catalogue, to begin with. */
export function Examples({ examples, onExample }: ExamplesProps) {
  const id = useId();
  const [index, setIndex] = useState(0);
  const example = examples[index];
  if (example === undefined) return null;
  return (
    <div class="examples">
      <label class="hidden" for={id}>
        Example
      </label>
      <select id={id} value={index} onChange={(event) => setIndex(Number(event.currentTarget.value))}>
        {examples.map(({ title }, place) => (
          <option key={title} value={place}>
            {title}
          </option>
        ))}
      </select>
      <button type="button" onClick={() => onExample(structuredClone(example.input))}>
        Fill in<span class="hidden"> this example</span>
      </button>
    </div>
  );
}

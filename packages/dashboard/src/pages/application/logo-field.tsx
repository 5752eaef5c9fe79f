import { useState } from 'preact/hooks';
import { Labelled } from '../../parts/field.tsx';
import { readLogo } from './read-logo.ts';

interface LogoFieldProps {
  readonly value: string | null;
  readonly onValue: (dataUrl: string | null) => void;
}

/** A picture, kept as a data URL. */
export function LogoField({ value, onValue }: LogoFieldProps) {
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

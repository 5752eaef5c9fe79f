import { useEffect, useState } from 'preact/hooks';
import { TextField } from './field.tsx';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

const TYPED_MS = 250;

/** A search field that reports its value after a pause in typing. */
export function SearchField({ label, value, onValue }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onValue(typed), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextField
      label={label}
      type="search"
      value={typed}
      onValue={setTyped}
      maxLength={256}
      autoComplete="off"
      spellcheck={false}
    />
  );
}

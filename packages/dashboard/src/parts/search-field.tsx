import { useEffect, useState } from 'preact/hooks';
import { type Changeable, PLAIN, TextField } from './field.tsx';

interface SearchFieldProps extends Changeable {
  readonly label: string;
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
    <TextField label={label} type="search" value={typed} onValue={setTyped} maxLength={256} {...PLAIN} />
  );
}

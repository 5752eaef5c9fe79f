import { useEffect, useState } from 'preact/hooks';
import { type Changeable, PLAIN, TextField } from './field.tsx';

const DEBOUNCE_MS = 250;

export function SearchField({ label, value, onValue }: Changeable & { readonly label: string }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onValue(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextField label={label} type="search" value={typed} onValue={setTyped} maxLength={256} {...PLAIN} />
  );
}

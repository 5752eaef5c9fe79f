/** A moment of the address as a field for date and time shows it, in the reader's own time; '' for none. */
export function toLocalTime(moment: string): string {
  const at = Date.parse(moment);
  if (Number.isNaN(at)) return '';
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The moment that such a field means; '' for none. */
export function fromLocalTime(local: string): string {
  const at = Date.parse(local);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}

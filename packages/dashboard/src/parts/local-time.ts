const MINUTE_MS = 60_000;

/** Converts an ISO time to the value of a `datetime-local` field. Returns an empty string if the time is invalid. */
export function toLocalTime(iso: string): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return '';
  const local = new Date(at - new Date(at).getTimezoneOffset() * MINUTE_MS).toISOString();
  return local.slice(0, at % MINUTE_MS === 0 ? 16 : 19);
}

/** Converts the value of a `datetime-local` field to an ISO time. Returns an empty string if the value is invalid. */
export function fromLocalTime(local: string): string {
  const at = Date.parse(local);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}

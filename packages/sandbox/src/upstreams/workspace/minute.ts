const MINUTE = 60_000;

/** A time as the service answers it: its clock shows no seconds. */
export function minute(time: number): string {
  return new Date(Math.floor(time / MINUTE) * MINUTE).toISOString();
}

const own = new WeakSet<object>();

/** What the application's own way to a token threw: its words stay as they are. */
export const isOwn = (error: unknown): boolean => own.has(error as object);

/** Notes an error of the application's. */
export function noteOwn(error: unknown): void {
  // Only objects can be told from each other.
  if (Object(error) === error) own.add(error as object);
}

/**
 * Resolves to the result of `work`. After `ms` milliseconds, resolves to the result of `onTimeout` instead; `work` then
 * continues, and its result is dropped.
 */
export async function withTimeout<T>(ms: number, work: Promise<T>, onTimeout: () => T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(() => resolve(onTimeout()), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves to the error of a rejected promise; `undefined` when it does not reject. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

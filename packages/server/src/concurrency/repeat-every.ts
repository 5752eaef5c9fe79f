export interface Repeated {
  readonly work: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Does the work again and again, never twice at a time; closing waits for what is under way. */
export function repeatEvery(
  ms: number,
  { work, onError }: Repeated,
): { readonly close: () => Promise<void> } {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  }, ms);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

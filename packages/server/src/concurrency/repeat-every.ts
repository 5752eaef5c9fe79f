export interface RepeatedWork {
  readonly work: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Runs the work every `ms` milliseconds, never twice at a time. `close` waits for the run that is under way. */
export function repeatEvery(
  ms: number,
  { work, onError }: RepeatedWork,
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

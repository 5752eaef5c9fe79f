import { isOver, lookAt, MAX_WAIT_SECS, type Run, type ServerContext } from './run.js';

/** The longest that a tool waits for a run; the rest of its deadline is for the other requests. */
export const WAIT_MS = 300_000;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 5000;

/** Looks at a run until it is over, or the time for it: then the run is still going in what comes back. */
export async function waitFor(
  run: Run,
  context: ServerContext,
  { startedAt, waitMs }: { readonly startedAt: number; readonly waitMs: number },
): Promise<Run> {
  const deadline = startedAt + waitMs;
  const left = () => deadline - context.now().getTime();
  let current = run;
  for (let looks = 0; !isOver(current) && left() > 0; looks += 1) {
    if (!context.server.waits) await context.sleep(Math.min(pauseBefore(looks), left()));
    const waitSecs = Math.min(MAX_WAIT_SECS, Math.ceil(left() / 1000));
    current = { ...current, ...(await lookAt(run.runId, context, { waitSecs: Math.max(0, waitSecs) })) };
  }
  return current;
}

// A server that cannot wait is asked at once, and then less and less often.
const pauseBefore = (looks: number): number =>
  looks === 0 ? 0 : Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (looks - 1));

/** User identifier whose accounts the batteries use. */
export const IDENTIFIER = 'user_42';

/** Separate user identifier for the run list, because other batteries create runs concurrently. */
export const OF_RUNS = 'user_of_runs';

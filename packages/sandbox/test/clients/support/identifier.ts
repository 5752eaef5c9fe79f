/** User whose accounts the batteries use. */
export const IDENTIFIER = 'user_42';

/** One of its own for what is listed as a whole: other batteries make runs at the same time. */
export const OF_RUNS = 'user_of_runs';

import type { Config } from '../config/config.js';

/** Configuration and environment of a start. */
export interface Surroundings {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of the options of Node.js, from its command line and NODE_OPTIONS. */
  readonly nodeOptions: readonly string[];
}

/** A rule that production must follow and development need not. */
export interface Check {
  readonly name: string;
  /** Gives one sentence for each problem: what is wrong, and what to change. */
  readonly find: (surroundings: Surroundings) => readonly string[] | Promise<readonly string[]>;
  /** Production reports the problem and starts anyway. */
  readonly isDoubt?: true;
}

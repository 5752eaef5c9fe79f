import type { Config } from '../config/config.js';

/** What the service is started with. */
export interface Surroundings {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The names of what Node.js itself was started with, on its command line and in NODE_OPTIONS. */
  readonly nodeOptions: readonly string[];
}

/** Something that development may do and production may not. */
export interface Check {
  readonly name: string;
  /** One sentence for each thing that is wrong: what it is, and what to change. */
  readonly find: (surroundings: Surroundings) => readonly string[] | Promise<readonly string[]>;
  /** Production says so and starts all the same. */
  readonly isDoubt?: true;
}

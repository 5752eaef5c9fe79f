import type { Config } from '../config/config.js';

/** Configuration and environment of a start, as the production checks need them. */
export interface Surroundings {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of the Node.js options from the command line and from NODE_OPTIONS. */
  readonly nodeOptions: readonly string[];
}

/** Rule for production. Development starts may break it. */
export interface Check {
  readonly name: string;
  /** Returns one sentence for each problem. It describes the problem and the necessary change. */
  readonly find: (surroundings: Surroundings) => readonly string[] | Promise<readonly string[]>;
  /** If true, production reports the problem as a warning and starts anyway. */
  readonly isDoubt?: true;
}

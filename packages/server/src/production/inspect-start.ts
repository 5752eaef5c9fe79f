import type { Config } from '../config/config.js';
import { ServiceError } from '../errors.js';
import { bulletList } from '../text/bullet-list.js';
import { CHECKS } from './checks.js';
import { optionNames } from './node-options.js';
import type { Check } from './surroundings.js';

export interface Findings {
  /** What production refuses to start with, a sentence each. */
  readonly refused: readonly string[];
  /** What it says and starts with all the same. */
  readonly doubtful: readonly string[];
}

// Read while it loads: main.ts then takes out of the environment what nothing in this process may follow.
const STARTED_WITH = { ...process.env };

/** Everything about this start that is not as it must be in production. */
export async function inspectStart(config: Config): Promise<Findings> {
  const env = STARTED_WITH;
  const nodeOptions = optionNames(process.execArgv, env['NODE_OPTIONS'] ?? '');
  // One origin may be listed for several connectors.
  const find = async (checks: readonly Check[]) => [
    ...new Set((await Promise.all(checks.map((check) => check.find({ config, env, nodeOptions })))).flat()),
  ];
  return {
    refused: await find(CHECKS.filter(({ isDoubt }) => !isDoubt)),
    doubtful: await find(CHECKS.filter(({ isDoubt }) => isDoubt)),
  };
}

export function refuseStart(refused: readonly string[]): void {
  if (refused.length === 0) return;
  throw new ServiceError('invalid_request', `SVC_PRODUCTION=1 refuses this start:\n${bulletList(refused)}`);
}

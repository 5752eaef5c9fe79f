import type { Config } from '../config/config.js';
import { ServiceError } from '../errors.js';
import { bulletList } from '../text/bullet-list.js';
import { CHECKS } from './checks.js';
import type { Check } from './surroundings.js';

export interface Findings {
  /** Sentences about problems that stop a start in production. */
  readonly refused: readonly string[];
  /** Sentences about problems that production only reports. */
  readonly doubtful: readonly string[];
}

// Read while this module loads, because main.ts then removes variables that this process must not follow.
const STARTED_WITH = { ...process.env };

// NODE_OPTIONS separates words by spaces alone. Quotes keep spaces, and a backslash keeps the character after it.
const WORD = /(?:[^ "]|"(?:[^"\\]|\\.|\\$)*(?:"|$))+/gs;
const QUOTED = /"((?:[^"\\]|\\.|\\$)*)(?:"|$)/gs;

const wordsOf = (text: string): readonly string[] =>
  (text.match(WORD) ?? []).map((word) =>
    word.replace(QUOTED, (_, inside: string) => inside.replace(/\\(.)/gs, '$1')),
  );

const nameOf = (option: string): string => option.replace(/=.*/s, '').replaceAll('_', '-');

/** The options of a Node.js command line and of NODE_OPTIONS, by the names that Node.js resolves them to. */
export const optionNames = (commandLine: readonly string[], nodeOptions: string): readonly string[] =>
  [...commandLine, ...wordsOf(nodeOptions)].map(nameOf);

/** Runs all checks of a start in production. */
export async function inspectStart(config: Config): Promise<Findings> {
  const env = STARTED_WITH;
  const nodeOptions = optionNames(process.execArgv, env['NODE_OPTIONS'] ?? '');
  // The set removes repeated sentences: one origin may be listed for several connectors.
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

import type { Config } from '../config/config.js';
import { ServiceError } from '../errors.js';
import { bulletList } from '../text/bullet-list.js';
import { CHECKS } from './checks.js';
import type { Check } from './surroundings.js';

export interface Findings {
  /** Sentences about problems that prevent a start in production. */
  readonly refused: readonly string[];
  /** Sentences about problems that production reports as warnings. */
  readonly doubtful: readonly string[];
}

// Copies the environment when this module loads, because program.ts later deletes NODE_TLS_REJECT_UNAUTHORIZED, which a
// check needs.
const STARTED_WITH = { ...process.env };

// Matches one word of NODE_OPTIONS. Words are separated by spaces only. Quotes protect spaces. Inside quotes, a
// backslash protects the next character.
const WORD = /(?:[^ "]|"(?:[^"\\]|\\.|\\$)*(?:"|$))+/gs;
const QUOTED = /"((?:[^"\\]|\\.|\\$)*)(?:"|$)/gs;

const wordsOf = (text: string): readonly string[] =>
  (text.match(WORD) ?? []).map((word) =>
    word.replace(QUOTED, (_, inside: string) => inside.replace(/\\(.)/gs, '$1')),
  );

const nameOf = (option: string): string => option.replace(/=.*/s, '').replaceAll('_', '-');

/**
 * Returns the names of the Node.js options from the command line and from NODE_OPTIONS, in the spelling that Node.js
 * uses.
 */
export const optionNames = (commandLine: readonly string[], nodeOptions: string): readonly string[] =>
  [...commandLine, ...wordsOf(nodeOptions)].map(nameOf);

/** Runs all checks of a production start. */
export async function inspectStart(config: Config): Promise<Findings> {
  const env = STARTED_WITH;
  const nodeOptions = optionNames(process.execArgv, env['NODE_OPTIONS'] ?? '');
  // Runs the checks and returns each message once. SVC_ALLOWED_ORIGINS may list one origin for several connectors, and
  // a check then returns the same message for each entry.
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
  throw new ServiceError(
    'invalid_request',
    `The service cannot start with SVC_PRODUCTION=1. Fix these settings:\n${bulletList(refused)}`,
  );
}

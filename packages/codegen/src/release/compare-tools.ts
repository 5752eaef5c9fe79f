import type { Tool, ToolHints } from '@svc/catalog';
import type { Change } from './change.js';
import type { ReleasedTool } from './release-file.js';

/** What callers rely on when a hint is as it says. */
const PROMISES: readonly (readonly [hint: keyof ToolHints, promised: boolean])[] = [
  ['readOnly', true],
  ['idempotent', true],
  ['destructive', false],
];

function compareHints({ hints: was }: ReleasedTool, { hints: is }: Tool): readonly Change[] {
  const ofPromises = PROMISES.filter(([hint]) => was[hint] !== is[hint]).map(
    ([hint, promised]): Change => ({
      level: is[hint] === promised ? 'additive' : 'breaking',
      where: `hints.${hint}`,
      reason: `it is ${is[hint]}, before ${was[hint]}`,
    }),
  );
  if (was.longRunning === is.longRunning) return ofPromises;
  const reason = `it is ${is.longRunning}, before ${was.longRunning}`;
  return [...ofPromises, { level: 'internal', where: 'hints.longRunning', reason }];
}

/** One of the scopes is enough; without any, every account is. */
function compareScopes({ scopes: was }: ReleasedTool, { scopes: is }: Tool): readonly Change[] {
  const gone = was.filter((scope) => !is.includes(scope));
  const added = is.filter((scope) => !was.includes(scope));
  const isLoose = is.length === 0;
  const change = (level: Change['level'], reason: string): Change => ({ level, where: 'scopes', reason });
  if (was.length === 0) return isLoose ? [] : [change('breaking', `accounts need ${is.join(' or ')}`)];
  if (isLoose) return [change('additive', 'accounts need none any more')];
  return [
    ...(gone.length > 0 ? [change('breaking', `${gone.join(' and ')} is not enough any more`)] : []),
    ...(added.length > 0 ? [change('additive', `${added.join(' or ')} is enough too`)] : []),
  ];
}

function compareVersionInputs({ versionInputs: was }: ReleasedTool, tool: Tool): readonly Change[] {
  const is = tool.versionInputs;
  if (was === is) return [];
  return [
    {
      level: is ? 'additive' : 'breaking',
      where: 'versionInputs',
      reason: is ? 'it takes its versions as inputs too' : 'it does not take its versions as inputs any more',
    },
  ];
}

/** Of the tools that say nothing of theirs. */
const BODY_BYTES = 1_048_576;

function compareBodyBytes(before: ReleasedTool, tool: Tool): readonly Change[] {
  const [was, is] = [before.bodyBytes ?? BODY_BYTES, tool.bodyBytes ?? BODY_BYTES];
  if (was === is) return [];
  const reason = `a body may have ${is} bytes, before ${was}`;
  return [{ level: is > was ? 'additive' : 'breaking', where: 'bodyBytes', reason }];
}

/** What holds for all versions of a tool. */
export const compareTraits = (before: ReleasedTool, tool: Tool): readonly Change[] =>
  [compareHints, compareScopes, compareVersionInputs, compareBodyBytes].flatMap((compare) =>
    compare(before, tool),
  );

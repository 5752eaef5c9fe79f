import type { Tool, ToolHints } from '@svc/catalog';
import { type Change, change, type Level } from './change.js';
import type { ReleasedTool } from './release-file.js';

/**
 * Tool hints on which callers rely, each with the value that callers rely on. A change away from that value breaks
 * them.
 */
const PROMISES: readonly (readonly [hint: keyof ToolHints, promised: boolean])[] = [
  ['readOnly', true],
  ['idempotent', true],
  ['destructive', false],
];

function compareHints({ hints: was }: ReleasedTool, { hints: is }: Tool): readonly Change[] {
  const compareHint = (hint: keyof ToolHints, level: Level) =>
    was[hint] === is[hint]
      ? []
      : [change(level, `hints.${hint}`, `the hint changed from ${was[hint]} to ${is[hint]}`)];
  return [
    ...PROMISES.flatMap(([hint, promised]) =>
      compareHint(hint, is[hint] === promised ? 'additive' : 'breaking'),
    ),
    ...compareHint('longRunning', 'internal'),
  ];
}

/**
 * Compares the OAuth scopes of a tool with the released scopes. An account needs only one of a tool's scopes; a tool
 * without scopes accepts every account.
 */
function compareScopes({ scopes: was }: ReleasedTool, { scopes: is }: Tool): readonly Change[] {
  const dropped = was.filter((scope) => !is.includes(scope));
  const added = is.filter((scope) => !was.includes(scope));
  const isLoose = is.length === 0;
  const scopes = (level: Level, reason: string) => [change(level, 'scopes', reason)];
  if (was.length === 0)
    return isLoose ? [] : scopes('breaking', `accounts now need the scope ${is.join(' or ')}`);
  if (isLoose) return scopes('additive', 'accounts no longer need a scope');
  return [
    ...(dropped.length > 0
      ? scopes('breaking', `the scope ${dropped.join(' or ')} is no longer sufficient`)
      : []),
    ...(added.length > 0 ? scopes('additive', `the scope ${added.join(' or ')} is now sufficient`) : []),
  ];
}

function compareVersionInputs({ versionInputs: was }: ReleasedTool, tool: Tool): readonly Change[] {
  if (was === tool.versionInputs) return [];
  return was
    ? [
        change(
          'breaking',
          'versionInputs',
          'the tool no longer has the inputs schema_version and tool_version',
        ),
      ]
    : [change('additive', 'versionInputs', 'the tool now has the inputs schema_version and tool_version')];
}

/** Default limit of a tool call's body, in bytes: 1 MiB. */
const BODY_BYTES = 1_048_576;

function compareBodyBytes(before: ReleasedTool, tool: Tool): readonly Change[] {
  const [was, is] = [before.bodyBytes ?? BODY_BYTES, tool.bodyBytes ?? BODY_BYTES];
  if (was === is) return [];
  const level = is > was ? 'additive' : 'breaking';
  return [change(level, 'bodyBytes', `the maximum size of a body changed from ${was} to ${is} bytes`)];
}

/** Compares the properties of a tool that all its versions share, such as hints and scopes. */
export const compareTraits = (before: ReleasedTool, tool: Tool): readonly Change[] =>
  [compareHints, compareScopes, compareVersionInputs, compareBodyBytes].flatMap((compare) =>
    compare(before, tool),
  );

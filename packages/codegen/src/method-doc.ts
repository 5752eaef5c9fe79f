import type { Connector, Tool } from '@svc/catalog';
import type { ToolModule } from './tool-module.js';
import { typescriptLiteral } from './typescript-literal.js';

/** What an editor shows of a method: what it does, what it needs and leaves behind, how it fails, and a call of it. */
export function methodDoc({ description }: ToolModule, connector: Connector): string {
  const { tool, method, current } = description;
  const advice = connector.errors.filter((rule) => rule.advice !== undefined && rule.status >= 300);
  const statuses = [...new Set(advice.map(({ status }) => status))].sort();
  return [
    `${tool.title}.`,
    '',
    tool.description,
    '',
    [hintText(tool), scopeText(tool)].filter((text) => text !== '').join(' '),
    ...(current.version.status === 'deprecated' ? ['@deprecated'] : []),
    '@throws InvalidInputError before anything is sent; AccountNotAuthorizedError until the user approves.',
    `@throws UpstreamError when ${connector.title} refuses${statuses.length === 0 ? '' : `; its advice says what to do about ${statuses.join(', ')}`}.`,
    ...exampleOf(tool, `${connector.id}.${method}`),
  ].join('\n');
}

function hintText({ hints }: Tool): string {
  const kind = hints.readOnly
    ? 'Changes nothing.'
    : hints.destructive
      ? 'Deletes or overwrites.'
      : 'Changes something.';
  const again = hints.readOnly || !hints.idempotent ? '' : ' Repeating it leaves the same state.';
  return `${kind}${again}${hints.longRunning ? ' May take minutes.' : ''}`;
}

const scopeText = ({ scopes }: Tool): string =>
  scopes.length === 0
    ? ''
    : `Needs ${scopes.length === 1 ? 'the scope' : 'one of the scopes'} ${scopes.join(', ')}.`;

function exampleOf({ examples: [first] }: Tool, method: string): readonly string[] {
  if (first === undefined) return [];
  const isEmpty = Object.keys(first.input).length === 0;
  return ['@example', `await ${method}(${isEmpty ? '' : typescriptLiteral(first.input)});`];
}

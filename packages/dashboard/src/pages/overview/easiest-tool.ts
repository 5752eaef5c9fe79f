import type { Tool } from '../../api/catalogue.ts';

type Candidate = Pick<Tool, 'name' | 'title' | 'hints' | 'inputSchema'>;

const CHOICES = ['exactlyOneOf', 'atLeastOneOf', 'anyOf', 'oneOf'];

const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.keys(value).length : 0;

const needsInput = ({ inputSchema }: Candidate): boolean =>
  countOf(inputSchema['required']) > 0 || CHOICES.some((choice) => inputSchema[choice] !== undefined);

/** A tool to begin with: it changes nothing, needs no input, and takes little. */
export function easiestTool<Each extends Candidate>(tools: readonly Each[]): Each | undefined {
  return tools
    .filter((tool) => tool.hints.readOnly && !tool.hints.longRunning && !needsInput(tool))
    .toSorted(
      (one, other) => countOf(one.inputSchema['properties']) - countOf(other.inputSchema['properties']),
    )[0];
}

import type { Tool } from '../../api/catalogue.ts';

type Candidate = Pick<Tool, 'name' | 'title' | 'hints' | 'inputSchema'>;

const CHOICES = ['exactlyOneOf', 'atLeastOneOf', 'anyOf', 'oneOf'];

const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.keys(value).length : 0;

export const neededBy = ({ inputSchema }: Pick<Tool, 'inputSchema'>): number =>
  countOf(inputSchema['required']) + CHOICES.filter((choice) => inputSchema[choice] !== undefined).length;

const takenBy = ({ inputSchema }: Candidate): number => countOf(inputSchema['properties']);

/** Selects the easiest tool for a first call: read-only, fast, and with the fewest required and optional inputs. */
export const easiestTool = <Each extends Candidate>(tools: readonly Each[]): Each | undefined =>
  tools
    .filter(({ hints }) => hints.readOnly && !hints.longRunning)
    .toSorted((one, other) => neededBy(one) - neededBy(other) || takenBy(one) - takenBy(other))[0];

import { InvalidInputError } from '../src/errors.js';
import type { JsonObject } from '../src/json-schema.js';
import { loadTool, thrownBy, version } from './fixture.js';

/** An input schema, a value for it, and the rules that the value breaks. */
export interface InputCase {
  readonly title: string;
  readonly input: JsonObject;
  readonly given: unknown;
  readonly broken: readonly unknown[];
}

/** A closed object with these properties. */
export const object = (properties: JsonObject, rest: JsonObject = {}) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...rest,
});
export const text = { type: 'string' };
/** The keywords of an input with these properties. */
export const props = (properties: JsonObject, rest: JsonObject = {}) => ({ properties, ...rest });

const types = {
  'types.json': {
    $defs: {
      Icon: { anyOf: [{ $ref: '#/$defs/Emoji' }, { $ref: '#/$defs/Picture' }] },
      Emoji: object({ type: { const: 'emoji' }, emoji: text }, { required: ['type', 'emoji'] }),
      Picture: object(
        { type: { const: 'external' }, url: { type: 'string', format: 'uri' } },
        { required: ['type', 'url'] },
      ),
    },
  },
};

/**
 * Loads a tool with this input schema. Its example calls an older tool version without inputs, because an example must
 * match the input schema of the version that it calls.
 */
export function loadInput(input: JsonObject) {
  const older = version({}, { schema_version: '0.1.0', status: 'supported' });
  return loadTool(
    [version(input), older],
    { examples: [{ title: 'Old', version: '0.1.0', input: {} }] },
    types,
  );
}

/** The broken rules as [field, rule, message, received]. */
export function rulesBroken(input: JsonObject, given: unknown): readonly unknown[] {
  const { catalog, tool, version: first } = loadInput(input);
  const error = thrownBy(() => catalog.validateInput(tool, first, given));
  if (error === undefined) return [];
  if (!(error instanceof InvalidInputError)) throw error;
  return error.errors.map(({ field, rule, message, received }) => [
    field,
    rule,
    message,
    ...(received ? [received] : []),
  ]);
}

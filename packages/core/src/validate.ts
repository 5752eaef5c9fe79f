/*! The formats of JSON Schema are those of ajv-formats, copyright (c) 2020 Evgeny Poberezkin, MIT License. */
import { createCheckInput, type JsonSchema } from '@svc/catalog/rules';
import type { InputProblem } from './errors.js';

/**
 * Validator for the inputs of one tool. It applies the service's rules without a request. The service validates each
 * input again.
 */
export interface InputValidator<Input> {
  /** Returns true if the input breaks no rule. */
  isValid(input: unknown): input is Input;
  /**
   * Returns the rules that the input breaks, at most 20, with the messages of `InvalidInputError`. Empty for a valid
   * input.
   */
  problems(input: unknown): readonly InputProblem[];
}

/** Versions of a tool that its input fields `schema_version` and `tool_version` may name, by field name. */
export type InputVersions = Readonly<Record<string, readonly string[]>>;

/**
 * Creates a validator for the inputs of a tool from a JSON Schema without references to other files. Connector packages
 * call the function once for each tool input.
 */
export function inputValidator<Input>(schema: object, versions: InputVersions = {}): InputValidator<Input> {
  // The type assertion is safe, because the generator writes the schema from a checked catalogue.
  const check = createCheckInput(schema as JsonSchema, () => new Date());

  function problems(input: unknown): readonly InputProblem[] {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return check(input);
    const isVersion = ([field]: [string, unknown]) => Object.hasOwn(versions, field);
    const members = Object.entries(input);
    const wrongVersions = members
      .filter(isVersion)
      .flatMap(([field, version]) => versionProblems(field, version, versions[field]));
    if (wrongVersions.length > 0) return wrongVersions;
    return check(Object.fromEntries(members.filter((member) => !isVersion(member))));
  }

  return { problems, isValid: (input): input is Input => problems(input).length === 0 };
}

function versionProblems(field: string, version: unknown, known: readonly string[] = []): InputProblem[] {
  if (version === undefined || known.some((candidate) => candidate === version)) return [];
  return [{ field, rule: 'enum', message: `"${field}" must be one of ${known.join(', ')}` }];
}

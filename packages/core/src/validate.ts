/*! The formats of JSON Schema are those of ajv-formats, copyright (c) 2020 Evgeny Poberezkin, MIT License. */
import { createCheckInput, type JsonSchema } from '@svc/catalog/rules';
import type { InputProblem } from './errors.js';

/** Judges the inputs of one tool as the service does, without asking it; the service has the last word. */
export interface InputValidator<Input> {
  /** Whether the input breaks no rule. */
  isValid(input: unknown): input is Input;
  /** The broken rules, 20 at most, in the words of `InvalidInputError`; none for a valid input. */
  problems(input: unknown): readonly InputProblem[];
}

/** The versions that an input may name, by the field that names them. */
export type InputVersions = Readonly<Record<string, readonly string[]>>;

/** Makes the validator of a self-contained schema; a connector package is one call of this for each input. */
export function inputValidator<Input>(schema: object, versions: InputVersions = {}): InputValidator<Input> {
  // The generator writes it from a catalogue that was checked.
  const check = createCheckInput(schema as JsonSchema, () => new Date());
  const problems = (input: unknown): readonly InputProblem[] => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return check(input);
    const isVersion = ([field]: [string, unknown]) => Object.hasOwn(versions, field);
    const members = Object.entries(input);
    const rest = Object.fromEntries(members.filter((member) => !isVersion(member)));
    const wrong = members.filter(isVersion).flatMap(versionProblem(versions));
    return wrong.length > 0 ? wrong : check(rest);
  };
  return { problems, isValid: (input): input is Input => problems(input).length === 0 };
}

const versionProblem =
  (versions: InputVersions) =>
  ([field, value]: [string, unknown]): InputProblem[] => {
    const known = versions[field] ?? [];
    if (value === undefined || known.some((version) => version === value)) return [];
    return [{ field, rule: 'enum', message: `"${field}" must be one of ${known.join(', ')}` }];
  };

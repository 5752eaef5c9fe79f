import type { JsonSchema } from '@svc/catalog';
import { type Comparison, type Finding, finding, within } from './effect.js';

/** Compares the properties of two object schemas: named ones, those that match a pattern, and all others. */
export function compareObjects(
  before: JsonSchema,
  after: JsonSchema,
  context: Comparison,
): readonly Finding[] {
  return [compareNamed, comparePatterns, compareOthers].flatMap((compare) => compare(before, after, context));
}

function compareNamed(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  const [was, is] = [before.properties ?? {}, after.properties ?? {}];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) => {
    const at = within(context, name);
    const [old, now] = [was[name], is[name]];
    if (old !== undefined && now !== undefined) return context.compare(old, now, at);
    if (context.direction === 'output')
      return old === undefined
        ? [finding(at, 'additive', 'the field was added')]
        : [finding(at, 'breaking', 'the field was removed')];
    return old === undefined ? addedField(now ?? true, before, at) : removedField(old, after, at);
  });
}

function addedField(
  field: JsonSchema | boolean,
  before: JsonSchema,
  context: Comparison,
): readonly Finding[] {
  const others = before.additionalProperties ?? true;
  // Compares a new property also with the released `patternProperties`, because its name may match one of their
  // patterns.
  const fitting = Object.values(before.patternProperties ?? {}).flatMap((each) =>
    context.compare(each, field, context),
  );
  const own =
    others === false
      ? [finding(context, 'wider', 'the field was added')]
      : context.compare(others, field, context);
  return [...fitting, ...own];
}

function removedField(field: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  const others = after.additionalProperties ?? true;
  return others === false
    ? [finding(context, 'narrower', 'the field is no longer accepted')]
    : context.compare(field, others, context);
}

/**
 * Compares the `patternProperties` of two object schemas. If only one schema has a pattern, `additionalProperties` of
 * the other schema applies.
 */
function comparePatterns(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  const [was, is] = [before.patternProperties ?? {}, after.patternProperties ?? {}];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((pattern) => {
    const at = within(context, `/${pattern}/`);
    const now = is[pattern] ?? after.additionalProperties ?? true;
    if (context.direction === 'output' && was[pattern] !== undefined && now === false)
      return [finding(at, 'breaking', 'fields of this pattern were removed')];
    return context.compare(was[pattern] ?? before.additionalProperties ?? true, now, at);
  });
}

function compareOthers(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  const [was, is] = [before.additionalProperties ?? true, after.additionalProperties ?? true];
  const hasNames = (schema: JsonSchema) => Object.keys(schema.properties ?? {}).length > 0;
  const isClosing = typeof was === 'boolean' && typeof is === 'boolean' && was !== is;
  if (!isClosing) return context.compare(was, is, within(context, '*'));
  // Classifies a change of unnamed output properties as additive, because callers rely only on named ones.
  if (context.direction === 'output' && (hasNames(before) || hasNames(after)))
    return [finding(context, 'additive', is ? 'other fields may now occur' : 'other fields no longer occur')];
  return is
    ? [finding(context, 'wider', 'other fields are now accepted')]
    : [finding(context, 'narrower', 'other fields are now refused')];
}

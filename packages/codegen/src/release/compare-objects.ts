import type { JsonSchema } from '@svc/catalog';
import { type Compare, type Finding, finding, type Place, within } from './effect.js';

/** The fields of objects, named and others. */
export function compareObjects(
  before: JsonSchema,
  after: JsonSchema,
  { place, compare }: { readonly place: Place; readonly compare: Compare },
): readonly Finding[] {
  const [was, is] = [before.properties ?? {}, after.properties ?? {}];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  const fields = [...names].flatMap((name) => {
    const at = within(place, name);
    const [old, now] = [was[name], is[name]];
    if (old !== undefined && now !== undefined) return compare(old, now, at);
    if (place.direction === 'output')
      return old === undefined
        ? [finding(at, 'additive', 'it is new')]
        : [finding(at, 'breaking', 'it is gone')];
    if (old === undefined) return addedField(now ?? true, before, { at, compare });
    return removedField(old, after, { at, compare });
  });
  return [
    ...fields,
    ...comparePatterns(before, after, { place, compare }),
    ...compareOthers(before, after, { place, compare }),
  ];
}

/** Fields whose names fit a pattern; where it is absent they are others. */
function comparePatterns(
  before: JsonSchema,
  after: JsonSchema,
  { place, compare }: { readonly place: Place; readonly compare: Compare },
): readonly Finding[] {
  const [was, is] = [before.patternProperties ?? {}, after.patternProperties ?? {}];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((pattern) => {
    const at = within(place, `/${pattern}/`);
    const now = is[pattern] ?? after.additionalProperties ?? true;
    if (place.direction === 'output' && was[pattern] !== undefined && now === false)
      return [finding(at, 'breaking', 'such fields are gone')];
    return compare(was[pattern] ?? before.additionalProperties ?? true, now, at);
  });
}

interface FieldPlace {
  readonly at: Place;
  readonly compare: Compare;
}

function addedField(field: JsonSchema | boolean, before: JsonSchema, { at, compare }: FieldPlace) {
  const others = before.additionalProperties ?? true;
  // Its name may be one that fits a pattern.
  const fitting = Object.values(before.patternProperties ?? {}).flatMap((each) => compare(each, field, at));
  return [
    ...fitting,
    ...(others === false ? [finding(at, 'wider', 'it is new')] : compare(others, field, at)),
  ];
}

function removedField(field: JsonSchema, after: JsonSchema, { at, compare }: FieldPlace) {
  const others = after.additionalProperties ?? true;
  return others === false
    ? [finding(at, 'narrower', 'it is not accepted any more')]
    : compare(field, others, at);
}

function compareOthers(
  before: JsonSchema,
  after: JsonSchema,
  { place, compare }: { readonly place: Place; readonly compare: Compare },
): readonly Finding[] {
  const [was, is] = [before.additionalProperties ?? true, after.additionalProperties ?? true];
  const hasNames = (schema: JsonSchema) => Object.keys(schema.properties ?? {}).length > 0;
  const isClosing = typeof was === 'boolean' && typeof is === 'boolean' && was !== is;
  // Fields of a result that are not named are nobody's promise.
  if (isClosing && place.direction === 'output' && (hasNames(before) || hasNames(after)))
    return [finding(place, 'additive', is ? 'it may have more fields' : 'it has no other fields')];
  if (isClosing)
    return [
      finding(
        place,
        is ? 'wider' : 'narrower',
        is ? 'other fields are accepted' : 'other fields are refused',
      ),
    ];
  return compare(was, is, within(place, '*'));
}

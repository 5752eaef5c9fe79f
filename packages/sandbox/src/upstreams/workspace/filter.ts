import { isObject } from '../../json.js';
import type { Person } from '../../person.js';
import { invalid } from './api-error.js';
import { personUser } from './identity.js';
import { matchDate, RELATIVE_DATES } from './match-date.js';
import { dateStart, texts } from './present-value.js';
import { findColumn } from './property-schema.js';
import {
  anything,
  boolean,
  canonicalId,
  each,
  either,
  isoDate,
  isUuid,
  list,
  number,
  object,
  oneOf,
  type Shape,
  should,
  tagged,
  text,
  uuid,
} from './shape.js';
import type { PageRecord, PropertyColumn } from './state.js';

type RowTest = (page: PageRecord) => boolean;

/** Context that relative values such as `today` and `me` need. */
export interface FilterContext {
  readonly now: number;
  readonly state: { readonly person: Person };
}

/**
 * Builds a row filter from JSON that `filterShape` accepted. Rejects unknown properties and conditions that do not fit
 * their type.
 */
export function buildFilter(
  filter: unknown,
  columns: readonly PropertyColumn[],
  context: FilterContext,
): RowTest {
  if (!isObject(filter)) return () => true;
  const { and, or } = filter;
  if (Array.isArray(and)) {
    const tests = and.map((inner) => buildFilter(inner, columns, context));
    return (page) => tests.every((test) => test(page));
  }
  if (Array.isArray(or)) {
    const tests = or.map((inner) => buildFilter(inner, columns, context));
    return (page) => tests.some((test) => test(page));
  }
  return filter.timestamp === undefined
    ? propertyTest(filter, columns, context)
    : timestampTest(filter, context);
}

function propertyTest(
  filter: Record<string, unknown>,
  columns: readonly PropertyColumn[],
  context: FilterContext,
): RowTest {
  const column = findColumn(columns, String(filter.property));
  if (column === undefined) throw invalid(`Could not find property with name or id: ${filter.property}`);
  const type = Object.keys(filter).find((key) => key !== 'property' && key !== 'type') ?? '';
  if (type !== column.type) throw invalid(`database property ${column.type} does not match filter ${type}`);
  const test = conditionTest(type, filter[type], context);
  return (page) => test(comparable(column, page));
}

function timestampTest(filter: Record<string, unknown>, context: FilterContext): RowTest {
  const name = String(filter.timestamp);
  const test = conditionTest(name, filter[name], context);
  return (page) =>
    test(new Date(name === 'created_time' ? page.createdTime : page.lastEditedTime).toISOString());
}

type ValueTest = (value: Comparable) => boolean;

const PEOPLE = new Set(['people', 'created_by', 'last_edited_by']);
const DATES = new Set(['date', 'created_time', 'last_edited_time']);

function conditionTest(type: string, condition: unknown, { now, state }: FilterContext): ValueTest {
  const [operator = '', operand] =
    Object.entries(isObject(condition) ? condition : {}).find(([key]) => key !== 'type') ?? [];
  if (operator === 'is_empty') return (value) => value === undefined;
  if (operator === 'is_not_empty') return (value) => value !== undefined;
  if (DATES.has(type))
    return (value) =>
      typeof value === 'string' && matchDate(value, { operator, operand: String(operand), now });
  const wanted = [operand].flat().map((one) => {
    if (PEOPLE.has(type) && one === 'me') return personUser(state.person).id;
    return isUuid(one) && type !== 'title' && type !== 'rich_text' ? canonicalId(one) : one;
  });
  // Multiple values: a condition matches if any value matches. A negated condition requires that none matches.
  const fits = (value: Comparable) => (one: unknown) => matchValue(value, operator, one);
  return (value) => (operator.startsWith('does_not') ? wanted.every(fits(value)) : wanted.some(fits(value)));
}

function matchValue(value: Comparable, operator: string, operand: unknown): boolean {
  switch (operator) {
    case 'equals':
      return sameText(value, operand);
    case 'does_not_equal':
      return !sameText(value, operand);
    case 'contains':
      return includes(value, operand);
    case 'does_not_contain':
      return !includes(value, operand);
    case 'starts_with':
      return typeof value === 'string' && value.toLowerCase().startsWith(String(operand).toLowerCase());
    case 'ends_with':
      return typeof value === 'string' && value.toLowerCase().endsWith(String(operand).toLowerCase());
    default:
      return (
        typeof value === 'number' && typeof operand === 'number' && compareNumbers(value, operator, operand)
      );
  }
}

function sameText(value: Comparable, operand: unknown): boolean {
  return typeof value === 'string'
    ? value.toLowerCase() === String(operand).toLowerCase()
    : value === operand;
}

function includes(value: Comparable, operand: unknown): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(String(operand).toLowerCase());
  return Array.isArray(value) && value.includes(operand);
}

function compareNumbers(value: number, operator: string, operand: number): boolean {
  if (operator === 'greater_than') return value > operand;
  if (operator === 'less_than') return value < operand;
  return operator === 'greater_than_or_equal_to' ? value >= operand : value <= operand;
}

const emptiness = each('is_empty is_not_empty', oneOf(true));

const textual = tagged({
  ...each('equals does_not_equal contains does_not_contain starts_with ends_with', text()),
  ...emptiness,
});
const numbers = tagged({
  ...each(
    'equals does_not_equal greater_than less_than greater_than_or_equal_to less_than_or_equal_to',
    number(),
  ),
  ...emptiness,
});
const names = either(text(), list(text(), { min: 1, max: 100 }));
const choice = tagged({ ...each('equals does_not_equal', names), ...emptiness });
const choices = tagged({ ...each('contains does_not_contain', names), ...emptiness });
const person: Shape = (value, path) => (value === 'me' ? [] : uuid(value, path));
const people = tagged({ ...each('contains does_not_contain', person), ...emptiness });
const references = tagged({ ...each('contains does_not_contain', uuid), ...emptiness });
const dateOrWord: Shape = (value, path) =>
  RELATIVE_DATES.some((word) => word === value) ? [] : isoDate(value, path);
const dates = tagged({
  ...each('equals before after on_or_before on_or_after', dateOrWord),
  ...each('past_week past_month past_year this_week next_week next_month next_year', object({})),
  ...emptiness,
});

const CONDITIONS: Readonly<Record<string, Shape>> = {
  ...each('title rich_text url email phone_number', textual),
  ...each('number unique_id', numbers),
  checkbox: tagged(each('equals does_not_equal', boolean)),
  ...each('select status', choice),
  multi_select: choices,
  ...each('people created_by last_edited_by', people),
  relation: references,
  ...each('date created_time last_edited_time', dates),
  files: tagged(emptiness),
  ...each('formula rollup', anything),
};

const propertyFilter: Shape = (value, path) => {
  const missing =
    isObject(value) && value.property === undefined ? should(`${path}.property`, 'defined', undefined) : [];
  return [...missing, ...tagged(CONDITIONS, { property: text({ min: 1 }) })(value, path)];
};

const timestampFilter = either(
  object({ timestamp: oneOf('created_time'), created_time: dates }, ['timestamp', 'created_time']),
  object({ timestamp: oneOf('last_edited_time'), last_edited_time: dates }, [
    'timestamp',
    'last_edited_time',
  ]),
);

const MAX_DEPTH = 2;

function filterAt(depth: number): Shape {
  return (value, path) => {
    if (!isObject(value)) return should(path, 'an object', value);
    const compound = ['and', 'or'].find((key) => value[key] !== undefined);
    if (compound !== undefined) {
      if (depth > MAX_DEPTH) return should(`${path}.${compound}`, 'not present', value[compound]);
      return object({ [compound]: list(filterAt(depth + 1), { max: 100 }) })(value, path);
    }
    return (value.timestamp === undefined ? propertyFilter : timestampFilter)(value, path);
  };
}

export const filterShape: Shape = filterAt(1);

const direction = oneOf('ascending', 'descending');

export const sortsShape: Shape = list(
  (value, path) =>
    isObject(value) && value.timestamp !== undefined
      ? object({ timestamp: oneOf('created_time', 'last_edited_time'), direction }, ['direction'])(
          value,
          path,
        )
      : object({ property: text({ min: 1 }), direction }, ['property', 'direction'])(value, path),
  { max: 100 },
);

export type Comparable = string | number | boolean | readonly string[] | undefined;

/**
 * Returns a property value of a row in comparable form: option names, plain text, ids or numbers. Undefined if it is
 * empty.
 */
export function comparable(column: PropertyColumn, page: PageRecord): Comparable {
  const stored = page.values.get(column.id);
  const optionName = (id: unknown) => column.options.find((option) => option.id === id)?.name;
  switch (column.type) {
    case 'title':
    case 'rich_text':
      return plainOf(stored);
    case 'select':
      return optionName(stored);
    case 'status':
      return optionName(stored) ?? column.options[0]?.name;
    case 'multi_select':
      return filled(texts(stored).flatMap((id) => optionName(id) ?? []));
    case 'people':
    case 'relation':
      return filled(texts(stored));
    case 'files':
      return Array.isArray(stored) && stored.length > 0 ? ['file'] : undefined;
    case 'date':
      return dateStart(stored);
    case 'checkbox':
      return stored === true;
    default:
      return ownValue(column, page) ?? scalar(stored);
  }
}

function ownValue({ type }: PropertyColumn, page: PageRecord): Comparable {
  if (type === 'created_time') return new Date(page.createdTime).toISOString();
  if (type === 'last_edited_time') return new Date(page.lastEditedTime).toISOString();
  if (type === 'created_by') return [page.createdBy];
  if (type === 'last_edited_by') return [page.lastEditedBy];
  return type === 'unique_id' ? page.serial : undefined;
}

function plainOf(stored: unknown): string | undefined {
  const plain = Array.isArray(stored)
    ? stored.map((item) => (isObject(item) ? item.plain_text : '')).join('')
    : '';
  return plain === '' ? undefined : plain;
}

function filled(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : list;
}

function scalar(stored: unknown): string | number | undefined {
  return typeof stored === 'string' || typeof stored === 'number' ? stored : undefined;
}

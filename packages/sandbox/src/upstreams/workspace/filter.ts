import { isObject } from '../../json.js';
import type { Person } from '../../person.js';
import { invalid } from './api-error.js';
import { type Comparable, comparable } from './compare-value.js';
import { personUser } from './identity.js';
import { matchDate } from './match-date.js';
import { findColumn, type PropertyColumn } from './property-schema.js';
import { canonicalId, isUuid } from './shape.js';
import type { PageRecord } from './state.js';

export type RowTest = (page: PageRecord) => boolean;

/** What words such as `today` and `me` stand for. */
export interface Asking {
  readonly now: number;
  readonly state: { readonly person: Person };
}

/** Builds the test of a filter that has passed `filterShape`; columns that do not exist or do not fit are refused. */
export function buildFilter(filter: unknown, columns: readonly PropertyColumn[], asking: Asking): RowTest {
  if (!isObject(filter)) return () => true;
  const { and, or } = filter;
  if (Array.isArray(and)) {
    const tests = and.map((inner) => buildFilter(inner, columns, asking));
    return (page) => tests.every((test) => test(page));
  }
  if (Array.isArray(or)) {
    const tests = or.map((inner) => buildFilter(inner, columns, asking));
    return (page) => tests.some((test) => test(page));
  }
  return filter.timestamp === undefined
    ? propertyTest(filter, columns, asking)
    : timestampTest(filter, asking);
}

function propertyTest(
  filter: Record<string, unknown>,
  columns: readonly PropertyColumn[],
  asking: Asking,
): RowTest {
  const column = findColumn(columns, String(filter.property));
  if (column === undefined) throw invalid(`Could not find property with name or id: ${filter.property}`);
  const type = Object.keys(filter).find((key) => key !== 'property' && key !== 'type') ?? '';
  if (type !== column.type) throw invalid(`database property ${column.type} does not match filter ${type}`);
  const test = conditionTest(type, filter[type], asking);
  return (page) => test(comparable(column, page));
}

function timestampTest(filter: Record<string, unknown>, asking: Asking): RowTest {
  const name = String(filter.timestamp);
  const test = conditionTest(name, filter[name], asking);
  return (page) =>
    test(new Date(name === 'created_time' ? page.createdTime : page.lastEditedTime).toISOString());
}

type ValueTest = (value: Comparable) => boolean;

const PEOPLE = new Set(['people', 'created_by', 'last_edited_by']);
const DATES = new Set(['date', 'created_time', 'last_edited_time']);

function conditionTest(type: string, condition: unknown, { now, state }: Asking): ValueTest {
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
  // Of several values any may be there, and none where it says that they are not.
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

import { isObject } from '../../json.js';
import { RELATIVE_DATES } from './match-date.js';
import {
  anything,
  boolean,
  either,
  isoDate,
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

const yes = oneOf(true);
const emptiness = { is_empty: yes, is_not_empty: yes };

function operators(names: string, operand: Shape): Record<string, Shape> {
  return Object.fromEntries(names.split(' ').map((name) => [name, operand]));
}

const texts = tagged({
  ...operators('equals does_not_equal contains does_not_contain starts_with ends_with', text()),
  ...emptiness,
});
const numbers = tagged({
  ...operators(
    'equals does_not_equal greater_than less_than greater_than_or_equal_to less_than_or_equal_to',
    number(),
  ),
  ...emptiness,
});
const names = either(text(), list(text(), { min: 1, max: 100 }));
const choice = tagged({ ...operators('equals does_not_equal', names), ...emptiness });
const choices = tagged({ ...operators('contains does_not_contain', names), ...emptiness });
const person: Shape = (value, path) => (value === 'me' ? [] : uuid(value, path));
const people = tagged({ ...operators('contains does_not_contain', person), ...emptiness });
const references = tagged({ ...operators('contains does_not_contain', uuid), ...emptiness });
const dateOrWord: Shape = (value, path) =>
  RELATIVE_DATES.some((word) => word === value) ? [] : isoDate(value, path);
const dates = tagged({
  ...operators('equals before after on_or_before on_or_after', dateOrWord),
  ...operators('past_week past_month past_year this_week next_week next_month next_year', object({})),
  ...emptiness,
});

/** Conditions by the type that a filter names. */
const CONDITIONS: Readonly<Record<string, Shape>> = {
  title: texts,
  rich_text: texts,
  url: texts,
  email: texts,
  phone_number: texts,
  number: numbers,
  unique_id: numbers,
  checkbox: tagged(operators('equals does_not_equal', boolean)),
  select: choice,
  status: choice,
  multi_select: choices,
  people,
  created_by: people,
  last_edited_by: people,
  relation: references,
  date: dates,
  created_time: dates,
  last_edited_time: dates,
  files: tagged(emptiness),
  formula: anything,
  rollup: anything,
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

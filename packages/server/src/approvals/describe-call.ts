import { cutText } from '@svc/catalog';
import { SECRET_NAME } from '../text/hide-private.js';
import { printableLine } from '../text/printable.js';
import { describeObject, type NamedObject } from './named-object.js';

const MAX_VALUE_CHARACTERS = 120;
const MAX_ITEMS = 3;
const MAX_FIELDS = 12;
const MAX_DEPTH = 3;
const MAX_SENTENCE_CHARACTERS = 1000;

const HIDDEN = '(hidden)';

const words = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();

const more = (count: number): string[] => (count > 0 ? [`and ${count} more`] : []);

function describeList(items: readonly unknown[], depth: number): string {
  if (items.length === 0) return 'nothing';
  const described = items.slice(0, MAX_ITEMS).map((item) => describeValue(item, depth + 1));
  return [...described, ...more(items.length - MAX_ITEMS)].join(', ');
}

function describeFields(input: object, depth: number): string[] {
  const fields = Object.entries(input);
  const described = fields
    .slice(0, MAX_FIELDS)
    .map(
      ([name, value]) =>
        `${cutText(words(name), MAX_VALUE_CHARACTERS)} ${SECRET_NAME.test(name) ? HIDDEN : describeValue(value, depth)}`,
    );
  return [...described, ...more(fields.length - MAX_FIELDS)];
}

function describeValue(value: unknown, depth: number): string {
  if (typeof value === 'string') return `“${cutText(value, MAX_VALUE_CHARACTERS)}”`;
  if (value === null) return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return String(value);
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return describeList(value, depth);
  const fields = describeFields(value, depth + 1);
  return fields.length === 0 ? 'nothing' : `(${fields.join('; ')})`;
}

/** Returns a copy of a tool input for display. Values of properties whose names suggest a secret are hidden. */
export function hideSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, SECRET_NAME.test(name) ? HIDDEN : hideSecrets(each)]),
  );
}

interface DescribedCall {
  /** Title of the tool, such as `Send a message`. */
  readonly title: string;
  readonly connectorTitle: string;
  readonly input: object;
  /**
   * Object at the upstream whose id the tool input contains. The description of the call shows its title instead of the
   * id.
   */
  readonly object?: NamedObject | undefined;
}

/**
 * Returns the kind and title of an object, such as `event “Design review”` for an object of the tool input `event_id`.
 */
function describeNamed(object: NamedObject): string {
  const kind = words(object.input.replace(/_?id$/i, ''));
  return `${kind === '' ? 'object' : kind} ${describeObject(object)}`;
}

/**
 * Describes a tool call in one sentence: the tool's title, the connector's title and the input. The text is one line of
 * limited length. Control characters, and characters that could change the direction of the text, are escaped.
 */
export function describeCall({ title, connectorTitle, input, object }: DescribedCall): string {
  const named = object === undefined ? [] : [describeNamed(object)];
  const fields = Object.entries(input).filter(([name]) => name !== object?.input);
  const given = [...named, ...describeFields(Object.fromEntries(fields), 0)];
  const sentence = `${title} (${connectorTitle})${given.length === 0 ? '' : `: ${given.join('; ')}`}`;
  return printableLine(cutText(sentence, MAX_SENTENCE_CHARACTERS)).replace(
    /[.\u2026]?$/,
    (end) => end || '.',
  );
}

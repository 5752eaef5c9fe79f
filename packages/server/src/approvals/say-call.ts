import { printableLine } from '../text/printable.js';

const MOST_VALUE = 120;
const MOST_ITEMS = 3;
const MOST_FIELDS = 12;
const MOST_DEPTH = 3;
const MOST_SENTENCE = 1000;

// Whoever decides may not be the one whose secret it is, and the sentence is read on screens.
const SECRET = /pass(?:word|phrase|wd)|secret|token|api_?key|credential|authorization|cookie|private_?key/i;

const HIDDEN = '(hidden)';

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
}

const words = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();

const more = (count: number): string[] => (count > 0 ? [`and ${count} more`] : []);

function sayList(items: readonly unknown[], depth: number): string {
  if (items.length === 0) return 'nothing';
  const said = items.slice(0, MOST_ITEMS).map((item) => sayValue(item, depth + 1));
  return [...said, ...more(items.length - MOST_ITEMS)].join(', ');
}

function sayFields(input: object, depth: number): string[] {
  const fields = Object.entries(input);
  const said = fields
    .slice(0, MOST_FIELDS)
    .map(
      ([name, value]) =>
        `${cut(words(name), MOST_VALUE)} ${SECRET.test(name) ? HIDDEN : sayValue(value, depth)}`,
    );
  return [...said, ...more(fields.length - MOST_FIELDS)];
}

function sayValue(value: unknown, depth: number): string {
  if (typeof value === 'string') return `“${cut(value, MOST_VALUE)}”`;
  if (value === null) return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return String(value);
  if (depth >= MOST_DEPTH) return '…';
  if (Array.isArray(value)) return sayList(value, depth);
  const fields = sayFields(value, depth + 1);
  return fields.length === 0 ? 'nothing' : `(${fields.join('; ')})`;
}

/** A copy of an input for eyes: what a field's name says is a secret is none of theirs. */
export function hideSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, SECRET.test(name) ? HIDDEN : hideSecrets(each)]),
  );
}

interface SaidCall {
  /** Of the tool. */
  readonly title: string;
  readonly connectorTitle: string;
  readonly input: object;
}

/**
 * What a call will do, in a sentence for a person: what the tool's file calls it, and what it is given. On one line, without
 * characters that turn text around, and no longer than somebody reads.
 */
export function sayCall({ title, connectorTitle, input }: SaidCall): string {
  const given = sayFields(input, 0);
  const sentence = `${title} (${connectorTitle})${given.length === 0 ? '' : `: ${given.join('; ')}`}`;
  return printableLine(cut(sentence, MOST_SENTENCE)).replace(/[.\u2026]?$/, (end) => end || '.');
}

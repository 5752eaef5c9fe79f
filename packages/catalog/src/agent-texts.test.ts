import { expect, test } from 'vitest';
import { allSchemas } from './child-schemas.js';
import type { JsonSchema } from './json-schema.js';
import { loadCatalog } from './load/load-catalog.js';
import type { Tool } from './tool.js';

const tools = [...loadCatalog({ fromFiles: true }).tools.values()];

/** Words that tool texts must not contain, because an agent cannot act on them: proxy, history, implementation. */
const USELESS_TO_AGENTS =
  /\b(?:prox(?:y|ies)|since (?:version|[a-z]+ 20\d\d)|deprecated|concurren[a-z]*|races?|handlers?)\b/i;

const MOST_WORDS = 25;
const FEWEST_PHRASES = 3;

const firstSentence = (text: string): string => text.split(/(?<=[.!?])\s/)[0] ?? '';

const isNameOfIds = (name: string): boolean => /(?:^|_)ids?$|Ids?$/.test(name);

type Field = readonly [name: string, schema: JsonSchema];

const fieldsOf = ({ versions }: Pick<Tool, 'versions'>): readonly Field[] =>
  versions
    .flatMap(({ input }) => allSchemas(input))
    .flatMap(({ properties = {} }) => Object.entries(properties));

function descriptionProblems(field: string, text = ''): readonly string[] {
  const word = USELESS_TO_AGENTS.exec(text)?.[0];
  return word === undefined ? [] : [`${field} mentions "${word}"`];
}

function fieldProblems([name, { description, $ref }]: Field): readonly string[] {
  const isDescribed = description !== undefined || $ref !== undefined;
  const missing = isNameOfIds(name) && !isDescribed ? [`${name} has no description`] : [];
  return [...missing, ...descriptionProblems(name, description)];
}

function problemsOf(tool: Pick<Tool, 'description' | 'phrases' | 'versions'>): readonly string[] {
  const words = firstSentence(tool.description).split(/\s+/).length;
  return [
    ...(tool.phrases.length < FEWEST_PHRASES ? [`has ${tool.phrases.length} phrases`] : []),
    ...(words > MOST_WORDS ? [`begins with a sentence of ${words} words`] : []),
    ...descriptionProblems('description', tool.description),
    ...fieldsOf(tool).flatMap(fieldProblems),
  ];
}

test.each(tools)('$name has texts that an agent can act on', (tool) => {
  expect(problemsOf(tool)).toEqual([]);
});

const texts = {
  description: 'List the pages of a book.',
  phrases: ['pages of my book', 'show the pages', 'Seiten im Buch'],
  versions: [],
};

test.each([
  { title: 'good texts', text: {}, problems: [] },
  { title: 'too few phrases', text: { phrases: ['pages'] }, problems: ['has 1 phrases'] },
  {
    title: 'a long first sentence',
    text: { description: `${'word '.repeat(26)}end. Short.` },
    problems: ['begins with a sentence of 27 words'],
  },
  ...['proxy', 'since version', 'since May 2026', 'deprecated', 'concurrently', 'race', 'handler'].map(
    (word) => ({
      title: `the word "${word}"`,
      text: { description: `List pages (${word}).` },
      problems: [`description mentions "${word}"`],
    }),
  ),
])('reports the problems of $title', ({ text, problems }) => {
  expect(problemsOf({ ...texts, ...text })).toEqual(problems);
});

test.each([
  { name: 'book_id', field: {}, problems: ['book_id has no description'] },
  { name: 'bookIds', field: {}, problems: ['bookIds has no description'] },
  { name: 'id', field: { description: 'Id of the book.' }, problems: [] },
  { name: 'valid', field: {}, problems: [] },
  { name: 'tags', field: { description: 'Deprecated.' }, problems: ['tags mentions "Deprecated"'] },
])('reports the problems of the input $name: $field', ({ name, field, problems }) => {
  expect(fieldProblems([name, field])).toEqual(problems);
});

import type { Connector, JsonSchema, Tool } from '@svc/catalog';
import { CHANGING_WORDS, wordsOf } from './words.js';

/** What is looked through, and how much more a word says there. */
export interface Searched {
  readonly tool: Tool;
  readonly connector: Pick<Connector, 'title' | 'description' | 'api'> | undefined;
  readonly input: JsonSchema;
}

const WEIGHTS = { name: 3, title: 3, connector: 2, description: 0.6, fields: 0.4 };
// As the literature has them for short texts.
const K1 = 1.2;
const B = 0.6;
/** What only a field or the rest of a description says of a tool weighs no more than a few words of its name. */
const MOST_OF_A_WORD = 9;

/** Whoever does not say that something is to change wants to know something. */
const ONLY_ASKED = { readOnly: 1, changing: 0.75, destructive: 0.5 };

interface Document {
  readonly name: string;
  readonly ifOnlyAsked: number;
  readonly weights: ReadonlyMap<string, number>;
  readonly length: number;
}

const fieldTexts = ({ properties = {} }: JsonSchema): readonly string[] =>
  Object.entries(properties).flatMap(([name, { description = '' }]) => [name, description]);

function ifOnlyAsked({ hints }: Tool): number {
  if (hints.readOnly) return ONLY_ASKED.readOnly;
  return hints.destructive ? ONLY_ASKED.destructive : ONLY_ASKED.changing;
}

function toDocument({ tool, connector, input }: Searched): Document {
  const weights = new Map<string, number>();
  const add = (weight: number, ...texts: readonly string[]) => {
    for (const word of texts.flatMap(wordsOf)) {
      weights.set(word, Math.min((weights.get(word) ?? 0) + weight, MOST_OF_A_WORD));
    }
  };
  add(WEIGHTS.name, tool.name);
  add(WEIGHTS.title, tool.title);
  if (connector) add(WEIGHTS.connector, connector.title, connector.api);
  add(WEIGHTS.description, tool.description);
  add(WEIGHTS.fields, ...fieldTexts(input));
  const length = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return { name: tool.name, ifOnlyAsked: ifOnlyAsked(tool), weights, length };
}

/** Names of tools, the best fit first; none that has no word of the query. */
export type Search = (query: string, limit: number) => readonly string[];

/** Ranks tools by the words that they share with a query (BM25 over weighted fields). */
export function createSearch(searched: readonly Searched[]): Search {
  const documents = searched.map(toDocument);
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const having = new Map<string, number>();
  for (const { weights } of documents)
    for (const word of weights.keys()) having.set(word, (having.get(word) ?? 0) + 1);

  const rarity = (word: string): number => {
    const count = having.get(word) ?? 0;
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
  };

  const scoreOf = ({ weights, length }: Document, words: readonly string[]): number =>
    words.reduce((sum, word) => {
      const weight = weights.get(word) ?? 0;
      const damped = weight + K1 * (1 - B + B * (length / averageLength));
      return sum + (rarity(word) * weight * (K1 + 1)) / damped;
    }, 0);

  return (query, limit) => {
    const words = [...new Set(wordsOf(query))];
    const isOnlyAsked = !words.some((word) => CHANGING_WORDS.has(word));
    return documents
      .map((document) => ({
        name: document.name,
        score: scoreOf(document, words) * (isOnlyAsked ? document.ifOnlyAsked : 1),
      }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || (one.name < other.name ? -1 : 1))
      .slice(0, limit)
      .map(({ name }) => name);
  };
}

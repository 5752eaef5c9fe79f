import type { Connector, JsonSchema, Tool } from '@svc/catalog';
import { CHANGING_WORDS, wordsOf } from './search-words.js';

/** A tool to search for. */
interface SearchableTool {
  readonly tool: Tool;
  readonly connector: Pick<Connector, 'title' | 'service' | 'api'> | undefined;
  readonly input: JsonSchema;
}

/** Weight of a word by where it occurs. */
const WEIGHTS = { name: 3, title: 3, connector: 2, phrases: 2, description: 0.6, fields: 0.4 };
// Parameters of BM25, as the literature recommends for short texts.
const K1 = 1.2;
const B = 0.6;
/** Bound on the weight of one word, so that fields and long descriptions do not outweigh the name. */
const MOST_OF_A_WORD = 9;

/** Factor of a tool for queries without a word of change, because these ask for information. */
const READ_QUERY = { readOnly: 1, changing: 0.75, destructive: 0.5 };

interface Document {
  readonly name: string;
  readonly readQueryFactor: number;
  readonly weights: ReadonlyMap<string, number>;
  readonly length: number;
}

const fieldTexts = ({ properties = {} }: JsonSchema): readonly string[] =>
  Object.entries(properties).flatMap(([name, { description = '' }]) => [name, description]);

function readQueryFactorOf({ hints }: Tool): number {
  if (hints.readOnly) return READ_QUERY.readOnly;
  return hints.destructive ? READ_QUERY.destructive : READ_QUERY.changing;
}

function toDocument({ tool, connector, input }: SearchableTool): Document {
  const weights = new Map<string, number>();
  const add = (weight: number, ...texts: readonly string[]) => {
    for (const word of texts.flatMap(wordsOf)) {
      weights.set(word, Math.min((weights.get(word) ?? 0) + weight, MOST_OF_A_WORD));
    }
  };
  add(WEIGHTS.name, tool.name);
  add(WEIGHTS.title, tool.title);
  if (connector) add(WEIGHTS.connector, connector.title, connector.service, connector.api);
  add(WEIGHTS.phrases, ...tool.phrases);
  add(WEIGHTS.description, tool.description);
  add(WEIGHTS.fields, ...fieldTexts(input));
  const length = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return { name: tool.name, readQueryFactor: readQueryFactorOf(tool), weights, length };
}

export function createToolSearch(tools: readonly SearchableTool[]) {
  const documents = tools.map(toDocument);
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const frequencies = new Map<string, number>();
  for (const { weights } of documents)
    for (const word of weights.keys()) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);

  const rarity = (word: string): number => {
    const count = frequencies.get(word) ?? 0;
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
  };

  const scoreOf = ({ weights, length }: Document, words: readonly string[]): number =>
    words.reduce((sum, word) => {
      const weight = weights.get(word) ?? 0;
      const damped = weight + K1 * (1 - B + B * (length / averageLength));
      return sum + (rarity(word) * weight * (K1 + 1)) / damped;
    }, 0);

  /** Ranks tools by the words that they share with the query (BM25 over weighted fields). Returns names, the best first. */
  return function search(query: string, limit: number): readonly string[] {
    const words = [...new Set(wordsOf(query))];
    const isReadQuery = !words.some((word) => CHANGING_WORDS.has(word));
    return documents
      .map((document) => ({
        name: document.name,
        score: scoreOf(document, words) * (isReadQuery ? document.readQueryFactor : 1),
      }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || (one.name < other.name ? -1 : 1))
      .slice(0, limit)
      .map(({ name }) => name);
  };
}

export type ToolSearch = ReturnType<typeof createToolSearch>;

import type { Connector, JsonSchema, Tool } from '@svc/catalog';
import { SYNONYMS, wantsChange, wordsOf } from './search-words.js';

/** Tool of the catalogue with the texts that the tool search indexes. */
interface SearchableTool {
  readonly tool: Tool;
  readonly connector: Pick<Connector, 'title' | 'service' | 'api'> | undefined;
  readonly input: JsonSchema;
}

/**
 * Weight of a word in the tool search, by the part of the tool that contains the word. Names and titles say most about
 * a tool.
 */
const WEIGHTS = { name: 3, title: 3, connector: 2, phrases: 2, description: 0.6, fields: 0.3 };
// Parameters of the BM25 ranking function, with the values that its literature recommends for short texts.
const K1 = 1.2;
const B = 0.6;
/**
 * Maximum total weight of one word in a tool. Long descriptions and many input fields could otherwise outweigh the
 * tool's name.
 */
const MAX_WORD_WEIGHT = 9;
/** Weight of the similarity between the query and the tool's title, or its most similar example phrase. */
const INTENT = 9;

/**
 * Score factors of tools that only read, that change data, and that delete or overwrite data. This set is for queries
 * that ask for information; the next set is for queries that ask for a change.
 */
const READ_INTENT = { readOnly: 1, changing: 0.7, destructive: 0.5 };
const CHANGE_INTENT = { readOnly: 0.65, changing: 1, destructive: 0.95 };

type Effect = keyof typeof READ_INTENT;

interface Document {
  readonly name: string;
  readonly effect: Effect;
  readonly weights: ReadonlyMap<string, number>;
  readonly length: number;
  /** Word sets of the tool's title and of each example phrase. A query similar to one of them ranks the tool higher. */
  readonly intents: readonly ReadonlySet<string>[];
}

const fieldTexts = ({ properties = {} }: JsonSchema): readonly string[] =>
  Object.entries(properties).flatMap(([name, { description = '' }]) => [name, description]);

function effectOf({ hints }: Tool): Effect {
  if (hints.readOnly) return 'readOnly';
  return hints.destructive ? 'destructive' : 'changing';
}

function toDocument({ tool, connector, input }: SearchableTool): Document {
  const weights = new Map<string, number>();
  const add = (weight: number, ...texts: readonly string[]) => {
    for (const word of texts.flatMap(wordsOf)) {
      weights.set(word, Math.min((weights.get(word) ?? 0) + weight, MAX_WORD_WEIGHT));
    }
  };
  add(WEIGHTS.name, tool.name);
  add(WEIGHTS.title, tool.title);
  if (connector) add(WEIGHTS.connector, connector.title, connector.service, connector.api);
  add(WEIGHTS.phrases, ...tool.phrases);
  add(WEIGHTS.description, tool.description);
  add(WEIGHTS.fields, ...fieldTexts(input));
  const length = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const intents = [tool.title, ...tool.phrases].map((text) => new Set(wordsOf(text)));
  return { name: tool.name, effect: effectOf(tool), weights, length, intents };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const ENDINGS = /(?:ungen|ung|ern|en|er|es|ed|e|n|s)$/;
/** Minimum letters of an indexed word that is matched inside a longer query word, such as a German compound. */
const MIN_LETTERS = 5;
/** Maximum number of words of a query that the tool search compares. */
const MAX_WORDS = 50;

/**
 * Creates a function that maps an unknown query word to similar indexed words. These have another ending, or are the
 * parts of a compound word.
 */
function createClosestWords(known: readonly string[]) {
  const all = new Set(known);
  const long = [...known, ...SYNONYMS.keys()].filter((word) => word.length >= MIN_LETTERS);
  const byStem = new Map(long.map((word) => [word.replace(ENDINGS, ''), word]));
  const parts = long.toSorted((one, other) => other.length - one.length);
  return (word: string): readonly string[] => {
    if (all.has(word)) return [word];
    const sameStem = byStem.get(word.replace(ENDINGS, ''));
    const inside = [
      parts.find((part) => word.startsWith(part)),
      parts.find((part) => word.replace(ENDINGS, '').endsWith(part.replace(ENDINGS, ''))),
    ];
    const stems = sameStem === undefined ? inside : [sameStem];
    return stems.flatMap((each) => (each === undefined ? [] : [SYNONYMS.get(each) ?? each]));
  };
}

export function createToolSearch(tools: readonly SearchableTool[]) {
  const documents = tools.map(toDocument);
  const averageLength = sum(documents.map(({ length }) => length)) / documents.length;
  const frequencies = new Map<string, number>();
  for (const { weights } of documents)
    for (const word of weights.keys()) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);

  const closestWords = createClosestWords([...frequencies.keys()]);

  const rarity = (word: string): number => {
    const count = frequencies.get(word) ?? 0;
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
  };
  const rarityOf = (words: Iterable<string>): number => sum([...words].map(rarity));

  /** Returns the BM25 score of a tool for the query words. Word weights replace the usual word counts. */
  const matchOf = ({ weights, length }: Document, words: ReadonlySet<string>): number =>
    sum(
      [...words].map((word) => {
        const weight = weights.get(word) ?? 0;
        const damped = weight + K1 * (1 - B + B * (length / averageLength));
        return (rarity(word) * weight * (K1 + 1)) / damped;
      }),
    );

  /**
   * Returns the similarity of the query to the tool's most similar title or example phrase, from 0 to 1. Rare words
   * count more.
   */
  const intentOf = ({ intents }: Document, words: ReadonlySet<string>): number => {
    const queryRarity = rarityOf(words);
    const shares = intents.map(
      (intent) =>
        (2 * rarityOf([...intent].filter((word) => words.has(word)))) / (queryRarity + rarityOf(intent)),
    );
    return Math.max(...shares);
  };

  /**
   * Ranks tools by the words that they share with the query. Returns up to `limit` tool names, the best match first.
   */
  return function search(query: string, limit: number): readonly string[] {
    const words = new Set(wordsOf(query).slice(0, MAX_WORDS).flatMap(closestWords));
    const factors = wantsChange(query) ? CHANGE_INTENT : READ_INTENT;
    return documents
      .map((document) => ({ document, match: matchOf(document, words) }))
      .filter(({ match }) => match > 0)
      .map(({ document, match }) => ({
        name: document.name,
        score: (match + INTENT * intentOf(document, words)) * factors[document.effect],
      }))
      .sort((one, other) => other.score - one.score || (one.name < other.name ? -1 : 1))
      .slice(0, limit)
      .map(({ name }) => name);
  };
}

export type ToolSearch = ReturnType<typeof createToolSearch>;

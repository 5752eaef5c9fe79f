import { readFileSync } from 'node:fs';
import { loadCatalog } from '@svc/catalog';
import { expect, test } from 'vitest';
import { createToolSearch } from './tool-search.js';
import { createDescribeTool } from './wire-tool.js';

interface Question {
  readonly question: string;
  readonly tools: readonly string[];
}

const catalog = loadCatalog();
const describeTool = createDescribeTool(catalog);
const search = createToolSearch(
  [...catalog.tools.values()].map((tool) => ({
    tool,
    connector: catalog.connectors.get(tool.connector),
    input: describeTool(tool).short.inputSchema,
  })),
);
const questions: readonly Question[] = JSON.parse(
  readFileSync(new URL('../../../bench/src/questions.json', import.meta.url), 'utf8'),
);

test('the search finds the right tool among the first five for 88 % of the questions, and first for 60 %', () => {
  const places = questions.map(({ question, tools }) =>
    search(question, 5).findIndex((name) => tools.includes(name)),
  );
  const part = (isFound: (place: number) => boolean) => places.filter(isFound).length / questions.length;
  expect(questions.length).toBeGreaterThanOrEqual(150);
  expect(part((place) => place >= 0)).toBeGreaterThanOrEqual(0.88);
  expect(part((place) => place === 0)).toBeGreaterThanOrEqual(0.6);
});

test('every tool of a connector with questions has one, and every question a tool that exists', () => {
  const asked = new Set(questions.flatMap(({ tools }) => tools));
  const connectorOf = (name: string) => catalog.tools.get(name)?.connector;
  const withQuestions = new Set([...asked].map(connectorOf));
  const expected = [...catalog.tools.keys()].filter((name) => withQuestions.has(connectorOf(name)));
  expect([...asked].toSorted()).toEqual(expected);
});

test('prefers what reads, unless something is to change', () => {
  expect(search('my playlists', 3)).not.toContain('video_playlist_delete');
  expect(search('delete my playlist', 1)).toEqual(['video_playlist_delete']);
});

test('the search finds nothing for unknown words, and at most the requested number', () => {
  expect(search('xylophone zebra', 5)).toEqual([]);
  expect(search('', 5)).toEqual([]);
  expect(search('list everything', 2)).toHaveLength(2);
});

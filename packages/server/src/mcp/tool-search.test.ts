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
const read = (file: string): readonly Question[] =>
  JSON.parse(readFileSync(new URL(`../../../bench/src/${file}`, import.meta.url), 'utf8'));

test.each([
  { file: 'questions.json', amongFive: 0.95, first: 0.8 },
  // Questions that check the quality of the tool search. Nobody may tune example phrases or the search to these
  // questions.
  { file: 'held-out-questions.json', amongFive: 0.9, first: 0.7 },
])('the search finds the right tools for the questions of $file', ({ file, amongFive, first }) => {
  const questions = read(file);
  const ranks = questions.map(({ question, tools }) =>
    search(question, 5).findIndex((name) => tools.includes(name)),
  );
  const part = (isHit: (rank: number) => boolean) => ranks.filter(isHit).length / questions.length;
  expect(questions.length).toBeGreaterThanOrEqual(150);
  expect(part((rank) => rank >= 0)).toBeGreaterThanOrEqual(amongFive);
  expect(part((rank) => rank === 0)).toBeGreaterThanOrEqual(first);
});

test.each([
  { query: 'list events', tool: 'calendar_list_events' },
  { query: 'upcoming events', tool: 'calendar_list_events' },
  { query: 'my events', tool: 'calendar_list_events' },
  { query: "what's on my agenda?", tool: 'calendar_list_events' },
  { query: 'list comments on my video', tool: 'video_comment_threads_list' },
  { query: 'create a page in notion', tool: 'workspace_page_create' },
  { query: 'Lösch den Termin am Freitag', tool: 'calendar_delete_event' },
])('the search finds $tool first for "$query"', ({ query, tool }) => {
  expect(search(query, 1)).toEqual([tool]);
});

test('every tool of a connector with questions has a question, and every question has existing tools', () => {
  const questionTools = new Set(read('questions.json').flatMap(({ tools }) => tools));
  const connectorOf = (name: string) => catalog.tools.get(name)?.connector;
  const withQuestions = new Set([...questionTools].map(connectorOf));
  const expected = [...catalog.tools.keys()].filter((name) => withQuestions.has(connectorOf(name)));
  expect([...questionTools].toSorted()).toEqual(expected);
});

test('the search finds a German compound by its parts', () => {
  expect(search('Videokommentare', 5)).toContain('video_comment_threads_list');
});

test('the search prefers reading tools unless the query asks for a change', () => {
  expect(search('my playlists', 3)).not.toContain('video_playlist_delete');
  expect(search('delete my playlist', 1)).toEqual(['video_playlist_delete']);
});

test.each([
  ['create a page in notion', 'workspace_page_create'],
  ['make a new doc in notion', 'workspace_page_create'],
  ['leave a comment on my notion page', 'workspace_comment_create'],
  ['add a row to my table in notion', 'workspace_database_insert_row'],
  ['zeig mir die Kommentare der Seite', 'workspace_comments_list'],
])('the search finds the tool for "%s" first', (query, tool) => {
  expect(search(query, 1)).toEqual([tool]);
});

test('the search finds nothing for unknown words, and at most the requested number', () => {
  expect(search('xylophone zebra', 5)).toEqual([]);
  expect(search('', 5)).toEqual([]);
  expect(search('list everything', 2)).toHaveLength(2);
});

test.each(['list events', 'upcoming events', 'my events', 'my appointments', 'welche Termine habe ich'])(
  'the search ranks the list of events before the other calendar tools: %s',
  (question) => {
    const matches = search(question, 10).filter((name) => name.startsWith('calendar_'));
    expect(matches[0]).toBe('calendar_list_events');
  },
);

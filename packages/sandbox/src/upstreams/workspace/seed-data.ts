import type { Content } from './state.js';

const text = (content: string) => [{ text: { content } }];
const block = (type: string, content: string, extra: Content = {}): Content => ({
  [type]: { rich_text: text(content), ...extra },
});
const options = (...names: readonly (readonly [name: string, color: string])[]) => ({
  options: names.map(([name, color]) => ({ name, color })),
});

export type Columns = readonly (readonly [name: string, config: Content, id: string])[];

export const WELCOME: readonly Content[] = [
  block('heading_1', 'Welcome'),
  block('paragraph', 'This workspace keeps what the team is working on.'),
  block('bulleted_list_item', 'Projects has the database of tasks.'),
  block('bulleted_list_item', 'Meeting notes is a page below this one.'),
  block('to_do', 'Say hello', { checked: true }),
  { divider: {} },
  block('code', 'console.log("hello");', { language: 'javascript' }),
  block('toggle', 'More', { children: [block('paragraph', 'Hidden until it is opened.')] }),
];

export const NOTES: readonly Content[] = [
  block('heading_2', 'Weekly meeting'),
  block('numbered_list_item', 'Review the open tasks'),
  block('numbered_list_item', 'Plan the release'),
  block('quote', 'Done is better than perfect.'),
];

// The id `St%1` needs percent-encoding, as many ids of the real service do.
export const TASK_COLUMNS: Columns = [
  ['Name', { title: {} }, 'title'],
  ['Status', { status: {} }, 'St%1'],
  ['Priority', { select: options(['High', 'red'], ['Medium', 'yellow'], ['Low', 'gray']) }, 'pRio'],
  ['Tags', { multi_select: options(['api', 'blue'], ['docs', 'green'], ['ops', 'orange']) }, 'fk^Y'],
  ['Due', { date: {} }, 'dUe_'],
  ['Estimate', { number: { format: 'number' } }, 'eS:t'],
  ['Billable', { checkbox: {} }, 'bILL'],
  ['Owner', { people: {} }, 'oWnR'],
  ['Link', { url: {} }, 'LnK='],
  ['Notes', { rich_text: {} }, 'n0te'],
  ['Created', { created_time: {} }, 'cR8d'],
];

type Task = readonly [
  name: string,
  status: string,
  priority: string,
  tags: readonly string[],
  due: string | null,
  estimate: number | null,
];

const TASKS: readonly Task[] = [
  ['Write the guide', 'In progress', 'High', ['docs'], '2026-11-24', 5],
  ['Fix the login', 'Not started', 'High', ['api'], '2026-11-20', 3],
  ['Rotate the keys', 'Done', 'Medium', ['ops', 'api'], '2026-11-02', 1],
  ['Measure the proxy', 'Not started', 'Low', ['ops'], null, 8],
  ['Plan the release', 'In progress', 'Medium', [], '2026-12-01', null],
];

export function taskRows(ownerId: string): Content[] {
  return TASKS.map(([name, status, priority, tags, due, estimate]) => ({
    Name: { title: text(name) },
    Status: { status: { name: status } },
    Priority: { select: { name: priority } },
    Tags: { multi_select: tags.map((tag) => ({ name: tag })) },
    Due: { date: due === null ? null : { start: due } },
    Estimate: { number: estimate },
    Owner: { people: [{ id: ownerId }] },
  }));
}

export const BOOK_COLUMNS: Columns = [
  ['Title', { title: {} }, 'title'],
  ['Author', { rich_text: {} }, 'aUth'],
  ['Pages', { number: { format: 'number' } }, 'pAgs'],
];

export const FILM_COLUMNS: Columns = [
  ['Title', { title: {} }, 'title'],
  ['Year', { number: { format: 'number' } }, 'yEar'],
  ['Seen', { checkbox: {} }, 'sEen'],
];

export const BOOKS: readonly Content[] = [
  {
    Title: { title: text('The Mythical Man-Month') },
    Author: { rich_text: text('Frederick Brooks') },
    Pages: { number: 322 },
  },
  {
    Title: { title: text('A Pattern Language') },
    Author: { rich_text: text('Christopher Alexander') },
    Pages: { number: 1171 },
  },
];

export const FILMS: readonly Content[] = [
  { Title: { title: text('Metropolis') }, Year: { number: 1927 }, Seen: { checkbox: true } },
  { Title: { title: text('Hidden Figures') }, Year: { number: 2016 }, Seen: { checkbox: false } },
];

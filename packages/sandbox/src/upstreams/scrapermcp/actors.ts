import { z } from 'zod';
import { type Actor, actor, fullName, type Item } from './actor.js';

const FORMATS = ['markdown', 'text', 'html'] as const;
const PAGE_CHARACTERS = 12_000;

const ragWebBrowser = actor({
  username: 'apify',
  name: 'rag-web-browser',
  title: 'RAG Web Browser',
  description: 'Searches the web, and gives the pages that it finds as markdown, text or HTML.',
  categories: ['AI', 'AGENTS'],
  totalUsers: 61_000,
  input: z.looseObject({
    query: z.string().min(1),
    maxResults: z.int().min(1).max(100).default(3),
    outputFormats: z.array(z.enum(FORMATS)).default(['markdown']),
  }),
  run: ({ query, maxResults, outputFormats }) => ({
    seconds: 3,
    items: Array.from({ length: URL.canParse(query) ? 1 : maxResults }, (_, index) =>
      webPage(query, index, outputFormats),
    ),
  }),
});

function webPage(query: string, index: number, formats: readonly (typeof FORMATS)[number][]): Item {
  const url = URL.canParse(query) ? query : `https://example.com/${encodeURIComponent(query)}/${index + 1}`;
  const title = `${query}, result ${index + 1}`;
  const bodies = {
    markdown: `# ${title}\n\nWhat the page says about *${query}*.`,
    text: `${title}. What the page says about ${query}.`,
    html: `<h1>${title}</h1>`,
  };
  return {
    crawl: { httpStatusCode: 200, httpStatusMessage: 'OK', requestStatus: 'handled' },
    searchResult: { title, description: `About ${query}`, url },
    metadata: { title, description: `About ${query}`, languageCode: 'en', url },
    query,
    ...Object.fromEntries(formats.map((format) => [format, bodies[format]])),
  };
}

const contentCrawler = actor({
  username: 'apify',
  name: 'website-content-crawler',
  title: 'Website Content Crawler',
  description: 'Crawls a website and gives the text of its pages, ready for language models.',
  categories: ['AI'],
  totalUsers: 95_000,
  readme: `# Website Content Crawler\n\n${'How to crawl a website, step by step. '.repeat(60)}`,
  input: z.looseObject({
    startUrls: z.array(z.looseObject({ url: z.url() })).min(1),
    maxCrawlPages: z.int().min(1).max(1000).default(10),
  }),
  run: ({ startUrls, maxCrawlPages }) => ({
    seconds: 2 + maxCrawlPages / 2,
    items: Array.from({ length: maxCrawlPages }, (_, index) => ({
      url: `${startUrls[0]?.url}/${index + 1}`,
      metadata: { title: `Page ${index + 1}`, languageCode: 'en' },
      text: `Page ${index + 1}. `.padEnd(PAGE_CHARACTERS, 'What it says. '),
    })),
  }),
});

const failing = actor({
  username: 'examples',
  name: 'blocked-website-scraper',
  title: 'Blocked Website Scraper',
  description: 'Scrapes a website that blocks it, and fails.',
  totalUsers: 40,
  input: z.looseObject({}),
  run: () => ({
    seconds: 4,
    items: [],
    outcome: 'FAILED',
    statusMessage: 'The website blocked the request.',
  }),
});

const standby = actor({
  username: 'examples',
  name: 'standby-screenshot-api',
  title: 'Standby Screenshot API',
  description: 'Takes screenshots over an HTTP API of its own.',
  totalUsers: 90,
  refusal: 'Actor examples/standby-screenshot-api runs in standby mode and cannot be called as a tool.',
  input: z.looseObject({}),
  run: () => ({ seconds: 1, items: [] }),
});

const unapproved = actor({
  username: 'examples',
  name: 'account-cleaner',
  title: 'Account Cleaner',
  description: 'Deletes old runs of an account, for which it needs all permissions.',
  totalUsers: 12,
  refusal:
    'full-permission-actor-not-approved: approve examples/account-cleaner at https://console.apify.com/actors/approve first.',
  input: z.looseObject({}),
  run: () => ({ seconds: 1, items: [] }),
});

const weather = actor({
  username: 'examples',
  name: 'weather-mcp-server',
  title: 'Weather MCP Server',
  description: 'An MCP server with one tool that reports the weather.',
  totalUsers: 300,
  tools: [{ name: 'get-forecast', call: ({ city }) => `The forecast for ${city}: clear, 21 °C.` }],
  input: z.looseObject({}),
  run: () => ({ seconds: 1, items: [] }),
});

const SITES = 'Maps Photos Videos News Jobs Hotels Flights Recipes Books Music Podcasts Events'.split(' ');
const DEVELOPERS = ['compass', 'epctex', 'clockworks'];

const input = z.looseObject({ search: z.string().default('popular'), maxItems: z.int().min(1).default(5) });

function listedActors(): Actor[] {
  return DEVELOPERS.flatMap((username, developer) =>
    SITES.map((site, index) =>
      actor({
        username,
        name: `${site.toLowerCase()}-scraper`,
        title: `${site} Scraper`,
        description: `Extracts ${site.toLowerCase()} from the web.`,
        totalUsers: 20_000 - 500 * index - 20 * developer,
        input,
        run: ({ search, maxItems }) => ({
          seconds: 5,
          items: Array.from({ length: maxItems }, (_, item) => ({
            title: `${site} about ${search}, number ${item + 1}`,
            url: `https://example.com/${site.toLowerCase()}/${item + 1}`,
          })),
        }),
      }),
    ),
  );
}

const ACTORS: readonly Actor[] = [
  ragWebBrowser,
  contentCrawler,
  failing,
  standby,
  unapproved,
  weather,
  ...listedActors(),
];

export const RAG_WEB_BROWSER = ragWebBrowser;

export function findActor(idOrName: string): Actor | undefined {
  return ACTORS.find((one) => one.id === idOrName || fullName(one) === idOrName);
}

/** Returns actors whose texts contain all keywords, most used first. Without keywords, returns all actors. */
export function searchActors(keywords: string): readonly Actor[] {
  const words = keywords.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (one: Actor) => {
    const text = `${fullName(one)} ${one.title} ${one.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return ACTORS.filter(fits).sort((one, other) => other.totalUsers - one.totalUsers);
}

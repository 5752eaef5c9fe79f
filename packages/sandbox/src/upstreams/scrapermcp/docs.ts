export type DocSource = 'apify' | 'crawlee-js' | 'crawlee-py';

interface Doc {
  readonly source: DocSource;
  readonly url: string;
  readonly content: string;
}

const PLATFORM = 'https://docs.apify.com/platform';
const CRAWLEE = 'https://crawlee.dev';

const DOCS: readonly Doc[] = [
  ...[
    'actors/running',
    'actors/running/runs-and-builds',
    'storage/dataset',
    'storage/request-queue',
    'proxy',
  ].map((path) => platformPage(path)),
  ...['quick-start', 'guides/request-storage', 'guides/proxy-management'].map((path) =>
    crawleePage('crawlee-js', path),
  ),
  ...['introduction', 'guides/storages', 'guides/proxy-management'].map((path) =>
    crawleePage('crawlee-py', path),
  ),
];

function platformPage(path: string): Doc {
  const topic = path.split('/').at(-1)?.replaceAll('-', ' ');
  const content = `# About ${topic}\n\nHow the platform handles ${topic}: runs, storages and limits.`;
  return { source: 'apify', url: `${PLATFORM}/${path}`, content };
}

function crawleePage(source: 'crawlee-js' | 'crawlee-py', path: string): Doc {
  const language = source === 'crawlee-js' ? 'JavaScript' : 'Python';
  const topic = path.split('/').at(-1)?.replaceAll('-', ' ');
  const content = `# ${topic}\n\n${topic} with Crawlee for ${language}.`;
  return { source, url: `${CRAWLEE}/${source.slice('crawlee-'.length)}/docs/${path}`, content };
}

const HOSTS = ['docs.apify.com', 'crawlee.dev'];

export const isDocsUrl = (url: string): boolean => URL.canParse(url) && HOSTS.includes(new URL(url).host);

export const findDoc = (url: string): Doc | undefined => DOCS.find((doc) => doc.url === url.split('#')[0]);

/** Pages of a source that hold any word of the query. */
export function searchDocs(source: DocSource, query: string): readonly Doc[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return DOCS.filter(
    (doc) =>
      doc.source === source && words.some((word) => `${doc.url} ${doc.content}`.toLowerCase().includes(word)),
  );
}

import type { Clock } from '../../clock.js';
import { uuidFrom } from '../../identifiers.js';
import type { Person } from '../../person.js';
import { addItem, type FilesiteState, HOSTNAME, type ItemRecord, itemId, type SiteRecord } from './state.js';

type NewSite = Pick<
  SiteRecord,
  'path' | 'displayName' | 'description' | 'isFollowed' | 'isIndexed' | 'isPersonal'
>;

const SITES: readonly NewSite[] = [
  {
    path: '',
    displayName: 'Communication site',
    description: 'News and pages for everybody',
    isFollowed: false,
    isIndexed: true,
  },
  {
    path: '/sites/marketing',
    displayName: 'Marketing',
    description: 'Campaigns and brand material',
    isFollowed: true,
    isIndexed: true,
  },
  {
    path: '/sites/engineering',
    displayName: 'Engineering',
    description: 'Designs and release notes',
    isFollowed: false,
    isIndexed: true,
  },
  {
    path: '/sites/launch',
    displayName: 'Launch',
    description: 'Made a moment ago, so the search does not know it yet',
    isFollowed: true,
    isIndexed: false,
  },
];

const personalOf = ({ id, name }: Person): NewSite => ({
  path: `/personal/${id}_contoso_com`,
  displayName: name,
  description: '',
  isFollowed: false,
  isIndexed: false,
  isPersonal: true,
});

export function seededState(person: Person, clock: Clock): FilesiteState {
  const now = clock.now() - 24 * 3600 * 1000;
  const sites = [...SITES, personalOf(person)].map((site) => seededSite(site, person, now));
  return { person, sites: new Map(sites.map((site) => [site.id, site])) };
}

function seededSite(site: NewSite, person: Person, now: number): SiteRecord {
  const seed = `${site.path} of ${person.id}`;
  const root: ItemRecord = {
    id: itemId(`root ${seed}`),
    name: 'root',
    parent: undefined,
    content: undefined,
    mimeType: '',
    created: now,
    modified: now,
    version: 1,
  };
  const record: SiteRecord = {
    ...site,
    id: [HOSTNAME, uuidFrom(`collection ${seed}`), uuidFrom(`web ${seed}`)].join(','),
    created: now,
    driveId: `b!${Buffer.from(uuidFrom(`drive ${seed}`)).toString('base64url')}`,
    root,
    items: new Map([[root.id, root]]),
    changes: [],
  };
  const add = (name: string, rest: { parent?: ItemRecord; content?: Buffer; mimeType?: string } = {}) =>
    addItem(record, { id: itemId(`${name} ${seed}`), name, parent: root, now, ...rest });
  const reports = add('Reports');
  add('welcome.txt', {
    content: Buffer.from(`Welcome to ${site.displayName}, ${person.name}.\n`),
    mimeType: 'text/plain',
  });
  add('2026 budget.csv', {
    parent: reports,
    content: Buffer.from('team,amount\nmarketing,1200\nengineering,3400\n'),
    mimeType: 'text/csv',
  });
  return record;
}

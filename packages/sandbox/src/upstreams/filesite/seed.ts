import type { Clock } from '../../clock.js';
import { uuidFrom } from '../../identifiers.js';
import type { Person } from '../../person.js';
import { addItem, type FilesiteState, HOSTNAME, type ItemRecord, itemId, type SiteRecord } from './state.js';

type NewSite = Pick<
  SiteRecord,
  'path' | 'displayName' | 'description' | 'isFollowed' | 'isIndexed' | 'isPersonal'
>;

const NAMES: readonly (readonly [path: string, displayName: string, description: string])[] = [
  ['', 'Communication site', 'News and pages for everybody'],
  ['/sites/marketing', 'Marketing', 'Campaigns and brand material'],
  ['/sites/engineering', 'Engineering', 'Designs and release notes'],
  ['/sites/launch', 'Launch', 'Made a moment ago, so the search does not know it yet'],
];

const SITES = NAMES.map(([path, displayName, description]): NewSite => {
  const isFollowed = displayName === 'Marketing' || displayName === 'Launch';
  return { path, displayName, description, isFollowed, isIndexed: displayName !== 'Launch' };
});

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

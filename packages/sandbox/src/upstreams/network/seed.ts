export interface Place {
  readonly geoId: string;
  readonly title: string;
  readonly countryCode: string;
}

export const PLACES: readonly [Place, ...Place[]] = [
  { geoId: '90009496', title: 'London, England, United Kingdom', countryCode: 'GB' },
  { geoId: '106967730', title: 'Berlin, Germany', countryCode: 'DE' },
  { geoId: '105080838', title: 'New York, United States', countryCode: 'US' },
  { geoId: '90000084', title: 'San Francisco Bay Area', countryCode: 'US' },
];

/** Additional places that the location search finds, although no seeded person lives there. */
export const OTHER_PLACES: readonly Place[] = [
  { geoId: '100493616', title: 'London, Ontario, Canada', countryCode: 'CA' },
  { geoId: '105015875', title: 'France', countryCode: 'FR' },
];

const FIRST_WORDS = 'Analytical Difference Compiler Harbour Northern Quiet Bright Copper Silver Amber'.split(
  ' ',
);
const LAST_WORDS = ['Engines', 'Works', 'Systems', 'Labs', 'Foods', 'Energy'];
const INDUSTRIES = [
  { id: '4', name: 'Software Development' },
  { id: '96', name: 'IT Services and IT Consulting' },
  { id: '43', name: 'Financial Services' },
  { id: '14', name: 'Hospitals and Health Care' },
] as const;

export const SIZES = [
  '1-10',
  '11-50',
  '51-200',
  '201-500',
  '501-1000',
  '1001-5000',
  '5001-10000',
  '10001+',
] as const;

const COUNT = 60;

export function around<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('The list of seed data is empty.');
  return item;
}

export type CompanyRecord = ReturnType<typeof seededCompanies>[number];

export function seededCompanies() {
  return Array.from({ length: COUNT }, (_, index) => {
    const round = Math.floor(index / FIRST_WORDS.length);
    const name = `${around(FIRST_WORDS, index)} ${around(LAST_WORDS, index + round)}`;
    const universalName = name.toLowerCase().replace(' ', '-');
    return {
      id: String(1000 + index),
      universalName,
      name,
      linkedinUrl: `https://www.linkedin.com/company/${universalName}`,
      size: around(SIZES, index + 1),
      industry: around(INDUSTRIES, index),
      place: around(PLACES, index),
      followers: 12_000 - index * 100,
    };
  });
}

export type PersonRecord = ReturnType<typeof seededPeople>[number];

const FIRST_NAMES = 'Ada Grace Alan Edsger Barbara Donald Margaret Niklaus Radia Tim'.split(' ');
const LAST_NAMES = ['Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov', 'Knuth'];
const TITLES = ['Software Engineer', 'Engineering Manager', 'Data Scientist', 'Product Manager', 'Recruiter'];
const SENIORITY_IDS = ['110', '120', '210', '220', '310'];
const EXPERIENCE_IDS = ['1', '2', '3', '4', '5'];

const EMPLOYERS = 6;
const PRIVATE = 59;

export function seededPeople(companies: readonly CompanyRecord[]) {
  return Array.from({ length: COUNT }, (_, index) => {
    const round = Math.floor(index / FIRST_NAMES.length);
    const firstName = around(FIRST_NAMES, index);
    const lastName = around(LAST_NAMES, index + round);
    const publicIdentifier = `${firstName}-${lastName}`.toLowerCase();
    const company = around(companies, index % EMPLOYERS);
    return {
      id: `ACoAAA${String(index).padStart(4, '0')}`,
      publicIdentifier,
      firstName,
      lastName,
      linkedinUrl: `https://www.linkedin.com/in/${publicIdentifier}`,
      title: around(TITLES, index + round),
      pastTitle: around(TITLES, index + round + 1),
      company,
      pastCompany: around(companies, (index + 1) % EMPLOYERS),
      place: around(PLACES, index),
      email: `${firstName}.${lastName}@${company.universalName}.example`.toLowerCase(),
      seniorityId: around(SENIORITY_IDS, index),
      yearsOfExperienceId: around(EXPERIENCE_IDS, index + round),
      hasChangedJobs: index % 7 === 0,
      /** True for the private profile. Requests for it fail with an error body and status 200. */
      isPrivate: index === PRIVATE,
    };
  });
}

const HOUR_MS = 3_600_000;
const POSTS = 165;
const COMMENTS = 240;
const REACTIONS = 240;
const TOPICS = ['compilers', 'remote work', 'hiring engineers', 'data quality'];
const REACTION_TYPES = ['LIKE', 'PRAISE', 'EMPATHY', 'INTEREST'];

/** Builds posts, comments and reactions, enough for a second page in every list of the first person. */
export function seededActivity(
  people: readonly PersonRecord[],
  companies: readonly CompanyRecord[],
  madeAt: number,
) {
  const posts = Array.from({ length: POSTS }, (_, index) => postOf(index, { people, companies, madeAt }));
  const comments = Array.from({ length: COMMENTS }, (_, index) =>
    commentOf(index, { people, posts, madeAt }),
  );
  const reactions = Array.from({ length: REACTIONS }, (_, index) =>
    reactionOf(index, { people, posts, comments, madeAt }),
  );
  return { posts, comments, reactions };
}

interface Actors {
  readonly people: readonly PersonRecord[];
  readonly madeAt: number;
}

export type PostRecord = ReturnType<typeof postOf>;
export type CommentRecord = ReturnType<typeof commentOf>;
export type ReactionRecord = ReturnType<typeof reactionOf>;

// Posts alternate between the first person, the first company, and any person in a group.
function postOf(
  index: number,
  { people, companies, madeAt }: Actors & { readonly companies: readonly CompanyRecord[] },
) {
  const id = `7250000000000000${String(index).padStart(3, '0')}`;
  const kind = index % 3;
  return {
    id,
    linkedinUrl: `https://www.linkedin.com/feed/update/urn:li:activity:${id}`,
    content: `Thoughts on ${around(TOPICS, index)}, part ${index + 1}.`,
    author: kind === 1 ? around(companies, 0) : around(people, kind === 0 ? 0 : index),
    groupId: kind === 2 ? String(500 + (index % 12)) : undefined,
    postedAt: madeAt - (index + 1) * 6 * HOUR_MS,
    likes: REACTIONS - index,
  };
}

// Comments alternate between any person on the first post, and the first person on any post.
function commentOf(
  index: number,
  { people, posts, madeAt }: Actors & { readonly posts: readonly PostRecord[] },
) {
  const isOnFirst = index % 2 === 0;
  const post = around(posts, isOnFirst ? 0 : index);
  const id = `7350000000000000${String(index).padStart(3, '0')}`;
  return {
    id,
    linkedinUrl: `${post.linkedinUrl}?commentUrn=urn%3Ali%3Acomment%3A${id}`,
    commentary: `Comment ${index + 1} on ${around(TOPICS, index)}.`,
    post,
    actor: around(people, isOnFirst ? index / 2 : 0),
    createdAt: madeAt - (index + 1) * 3 * HOUR_MS,
  };
}

// Reactions alternate between any person on the first post, the first person on any post, and any person on the first
// comment.
function reactionOf(
  index: number,
  {
    people,
    posts,
    comments,
    madeAt,
  }: Actors & { posts: readonly PostRecord[]; comments: readonly CommentRecord[] },
) {
  const isOfFirst = index % 2 === 1;
  const first = index % 20 === 0 ? around(comments, 0) : around(posts, 0);
  return {
    id: `reaction-${index}`,
    reactionType: around(REACTION_TYPES, index),
    target: isOfFirst ? around(posts, index) : first,
    actor: around(people, isOfFirst ? 0 : index / 2),
    createdAt: madeAt - (index + 1) * 2 * HOUR_MS,
  };
}

import { isWithin } from './activities.js';
import { required } from './api-error.js';
import { type Call, type Endpoint, ok } from './call.js';
import { pageOf } from './page.js';
import { iso } from './present-activity.js';
import type { CallScore, Organization } from './seed.js';

const PAGE = 500;

interface DatedRecord {
  readonly createdAt: number;
}

interface RecordList<Item extends DatedRecord> {
  readonly path: string;
  readonly needsRange?: boolean;
  of(organization: Organization): readonly Item[];
  readonly filters: Readonly<Record<string, (item: Item) => string>>;
  present(item: Item): object;
}

export const recordEndpoints: readonly Endpoint[] = [
  listEndpoint({
    path: '/automated-call-scoring',
    of: ({ scores }) => scores,
    filters: { userId: ({ user }) => user.id },
    present: presentScore,
  }),
  listEndpoint({
    path: '/coaching-feedback',
    needsRange: true,
    of: ({ feedback }) => feedback,
    filters: { coachId: ({ coachId }) => coachId, coacheeId: ({ coacheeId }) => coacheeId },
    present: presentDated,
  }),
  listEndpoint({
    path: '/comments',
    of: ({ comments }) => comments,
    filters: { userId: ({ userId }) => userId },
    present: presentDated,
  }),
  listEndpoint({
    path: '/listens',
    needsRange: true,
    of: ({ listens }) => listens,
    filters: { userId: ({ userId }) => userId },
    present: presentDated,
  }),
];

function listEndpoint<Item extends DatedRecord>(list: RecordList<Item>): Endpoint {
  return {
    verb: 'GET',
    path: list.path,
    handle({ organization, parameters }) {
      const range = parameters.range('fromDate', 'toDate');
      if (list.needsRange && range.from === undefined) throw required('fromDate');
      if (list.needsRange && range.to === undefined) throw required('toDate');
      const isChosen = chooser(list, parameters);
      const page = parameters.integer('page', { min: 1, max: Number.MAX_SAFE_INTEGER, fallback: 1 });
      const items = list.of(organization).filter((item) => isWithin(item.createdAt, range) && isChosen(item));
      const { results, metadata } = pageOf(items, page, PAGE);
      return ok({ results: results.map(list.present), metadata });
    },
  };
}

function chooser<Item extends DatedRecord>(
  { filters }: RecordList<Item>,
  parameters: Call['parameters'],
): (item: Item) => boolean {
  const wanted = Object.entries(filters).map(([name, idOf]) => ({ id: parameters.uuid(name), idOf }));
  return (item) => wanted.every(({ id, idOf }) => id === undefined || idOf(item) === id);
}

function presentDated<Item extends DatedRecord>(item: Item) {
  return { ...item, createdAt: iso(item.createdAt) };
}

function presentScore({ user, ...score }: CallScore) {
  return { ...presentDated(score), user: { id: user.id, name: user.name, email: user.email } };
}

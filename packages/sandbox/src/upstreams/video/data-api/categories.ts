import { ApiError } from '../../../google/api-error.js';
import type { Outcome } from '../../../google/method.js';
import { withEtag } from '../body.js';
import { READING } from '../scopes.js';
import { type Call, serviceMethods } from './call.js';
import { checkLanguage, idsOf, oneFilter, readRegion } from './filters.js';
import { type PartMakers, partNames, presentResource } from './resource.js';

interface Category {
  readonly id: string;
  readonly title: string;
  readonly assignable: boolean;
}

const CATEGORIES: readonly Category[] = [
  { id: '1', title: 'Film & Animation', assignable: true },
  { id: '2', title: 'Autos & Vehicles', assignable: true },
  { id: '10', title: 'Music', assignable: true },
  { id: '15', title: 'Pets & Animals', assignable: true },
  { id: '17', title: 'Sports', assignable: true },
  { id: '18', title: 'Short Movies', assignable: false },
  { id: '19', title: 'Travel & Events', assignable: true },
  { id: '20', title: 'Gaming', assignable: true },
  { id: '21', title: 'Videoblogging', assignable: false },
  { id: '22', title: 'People & Blogs', assignable: true },
  { id: '23', title: 'Comedy', assignable: true },
  { id: '24', title: 'Entertainment', assignable: true },
  { id: '25', title: 'News & Politics', assignable: true },
  { id: '26', title: 'Howto & Style', assignable: true },
  { id: '27', title: 'Education', assignable: true },
  { id: '28', title: 'Science & Technology', assignable: true },
  { id: '30', title: 'Movies', assignable: false },
];

export function isAssignable(id: string): boolean {
  return CATEGORIES.some((category) => category.id === id && category.assignable);
}

const FILTERS = ['id', 'regionCode'] as const;

const MAKERS: PartMakers<Category> = {
  snippet: ({ title, assignable }) => ({ title, assignable, channelId: 'UCBR8-60-B28hp2BmDPdntcQ' }),
};

export const categoryMethods = serviceMethods('VideoCategory', '/videoCategories', {
  List: {
    scopes: READING,
    parameters: { id: 'texts', regionCode: 'text', hl: 'text' },
    parts: partNames(MAKERS),
    handle: listCategories,
  },
});

function listCategories(call: Call): Outcome {
  checkLanguage(call.parameters.text('hl'));
  const categories = oneFilter(call, FILTERS) === 'id' ? categoriesById(call) : everywhere(call);
  const items = categories.map((one) =>
    presentResource(one, { kind: 'videoCategory', makers: MAKERS, call }),
  );
  return { body: withEtag({ kind: 'youtube#videoCategoryListResponse', items }) };
}

function categoriesById(call: Call): Category[] {
  return idsOf(call).map((id) => {
    const match = CATEGORIES.find((category) => category.id === id);
    if (match !== undefined) return match;
    throw new ApiError(404, 'videoCategoryNotFound', 'The video category cannot be found.', {
      domain: 'youtube.common',
    });
  });
}

function everywhere(call: Call): readonly Category[] {
  readRegion(call);
  return CATEGORIES;
}

import { type Item, type Trimming, trimItems } from '../../apify/dataset-items.js';

interface PageOptions extends Trimming {
  readonly offset: number;
  readonly limit: number;
}

export function datasetPage(
  datasetId: string,
  items: readonly Item[],
  { offset, limit, ...trimming }: PageOptions,
) {
  const page = trimItems(items.slice(offset, offset + limit), trimming);
  return {
    datasetId,
    items: page,
    itemCount: page.length,
    totalItemCount: items.length,
    offset,
    limit,
  };
}

/** Returns a page of a list in the service's pagination format. Page numbers start at 1. */
export function pageOf<Item>(items: readonly Item[], page: number, pageSize: number) {
  const maxPage = Math.max(1, Math.ceil(items.length / pageSize));
  return {
    results: items.slice((page - 1) * pageSize, page * pageSize),
    metadata: { page, pageSize, maxPage, nextPage: page < maxPage ? page + 1 : null },
  };
}

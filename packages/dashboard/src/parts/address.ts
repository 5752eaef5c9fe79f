/** An address with what it shows in its query; what is empty is left out. */
export function withQuery(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

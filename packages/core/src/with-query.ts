/** Puts parameters behind a path that may have some; an array repeats its own, undefined and null leave it out. */
export function withQuery(path: string, query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) {
      if (value != null) parameters.append(name, value);
    }
  }
  return parameters.size ? path + (path.includes('?') ? '&' : '?') + parameters : path;
}

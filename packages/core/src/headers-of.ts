type Layer = Readonly<Record<string, string | undefined>> | undefined;

/** Lays headers over each other: of a name that is spelled in two ways the last value counts, and not both. */
export function headersOf(...layers: readonly Layer[]): Headers {
  const headers = new Headers();
  for (const layer of layers)
    for (const name in layer) {
      // What is undefined becomes a text, and ky takes that for what it was.
      headers.set(name, layer[name] as string);
    }
  return headers;
}

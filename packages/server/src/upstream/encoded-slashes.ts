const ENCODED_SLASH = /%2f/gi;
const SEGMENT = '{}';

/**
 * Removes the encoded slashes (`%2F`) that the connector allows from a path, for the path checks. The path that is sent
 * upstream keeps them.
 */
export type EncodedSlashes = (path: string) => string;

const fits = (shape: readonly string[], segments: readonly string[]): boolean =>
  shape.every((part, index) => (part === SEGMENT ? segments[index] : segments[index] === part));

/**
 * Compiles the patterns of the paths in which the connector allows encoded slashes. The pattern `/projects/{}` matches
 * `/projects/a%2Fb` and every path below it.
 */
export function createEncodedSlashes(shapes: readonly string[] = []): EncodedSlashes | undefined {
  if (shapes.length === 0) return undefined;
  const parts = shapes.map((shape) => shape.split('/'));
  return (path) => {
    const segments = path.split('/');
    const shape = parts.find((each) => fits(each, segments));
    if (shape === undefined) return path;
    return segments
      .map((segment, index) => (shape[index] === SEGMENT ? segment.replace(ENCODED_SLASH, '') : segment))
      .join('/');
  };
}

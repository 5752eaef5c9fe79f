const ENCODED_SLASH = /%2f/gi;
const SEGMENT = '{}';

/** Gives a path without the encoded slashes that its connector allows, so that it can be checked as any other one. */
export type EncodedSlashes = (path: string) => string;

const fits = (shape: readonly string[], segments: readonly string[]): boolean =>
  shape.every((part, index) => (part === SEGMENT ? segments[index] : segments[index] === part));

/** Compiles the path shapes of a connector. `/projects/{}` fits such a path and everything below it. */
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

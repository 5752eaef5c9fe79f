import { type Catalog, requestsOf } from '@svc/catalog';

/**
 * Returns the upstream path of a proxied request as its execution shows it: ids become `{id}`, and long paths are cut.
 */
export type ShowPath = (path: string, connector: string | undefined) => string;

const ID = '{id}';
const MAX_SEGMENTS = 12;
const MAX_SEGMENT_CHARACTERS = 40;

// Lower-case words of at most 20 letters, such as `actor-runs`, and versions such as `v3` and `v1.0`. These path
// segments are shown; longer words are not, because they may be tokens.
const WORD = /^[a-z]{1,20}(?:[-_.:][a-z]{1,20}){0,3}$/;
const VERSION = /^v\d{1,2}(?:\.\d{1,2})?(?:alpha|beta)?\d?$/;

/** Collects, for each connector, the fixed segments in the paths of its tools' requests, such as `calendarList`. */
function fixedSegments({ tools }: Pick<Catalog, 'tools'>): ReadonlyMap<string, ReadonlySet<string>> {
  const segments = new Map<string, Set<string>>();
  for (const { connector, versions } of tools.values()) {
    const known = segments.get(connector) ?? new Set();
    segments.set(connector, known);
    for (const { path } of versions.flatMap(requestsOf))
      for (const segment of path.split('/')) if (!/[{}]/.test(segment)) known.add(segment);
  }
  return segments;
}

const isWord = (segment: string, known: ReadonlySet<string> | undefined): boolean =>
  segment === '' ||
  (segment.length <= MAX_SEGMENT_CHARACTERS &&
    (known?.has(segment) === true || WORD.test(segment) || VERSION.test(segment)));

/**
 * Creates the function that replaces ids in paths with `{id}`. The catalogue's tools show which segments are not ids.
 */
export function createShowPath(catalog: Pick<Catalog, 'tools'>): ShowPath {
  const fixed = fixedSegments(catalog);
  return function showPath(path, connector) {
    const known = connector === undefined ? undefined : fixed.get(connector);
    // True between two colons, because some upstreams put the path of a file there: `/root:/Reports/a.txt:/content`.
    let isFile = false;
    function show(segment: string): string {
      const endsWithColon = segment.endsWith(':');
      const isShown = !isFile && isWord(endsWithColon ? segment.slice(0, -1) : segment, known);
      if (endsWithColon) isFile = !isFile;
      return isShown ? segment : ID;
    }
    let shown = '';
    let from = 0;
    // Loops instead of calling `split` and `join`, because this code runs for every proxied request.
    for (let count = 0; count <= MAX_SEGMENTS; count += 1) {
      const end = path.indexOf('/', from);
      if (end === -1) return shown + show(path.slice(from));
      shown += `${show(path.slice(from, end))}/`;
      from = end + 1;
    }
    return `${shown}…`;
  };
}

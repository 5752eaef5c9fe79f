/**
 * Start and end of XML constructs that contain no SVG elements: comments, processing instructions and CDATA sections.
 */
const SKIPPED: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![CDATA[', ']]>'],
];

const NAME = /^<\/?([A-Za-z_][\w:.-]*)/;
const NAMESPACE = /\sxmlns\s*=\s*["']http:\/\/www\.w3\.org\/2000\/svg["']/;

/**
 * Returns the position after the XML tag at `start`, or -1 if the tag does not end. A `>` inside a quoted attribute
 * value does not end the tag.
 */
function endOfTag(text: string, start: number): number {
  let quote = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '<') return -1;
    else if (character === '>') return at + 1;
  }
  return -1;
}

/**
 * Returns the tags of an XML text in order. Returns `undefined` for invalid XML, and for a DOCTYPE, because its
 * entities can expand without bound.
 */
function tagsOf(text: string): readonly string[] | undefined {
  const tags: string[] = [];
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const skipped = SKIPPED.find(([begin]) => text.startsWith(begin, at));
    if (skipped) {
      const end = text.indexOf(skipped[1], at + skipped[0].length);
      if (end === -1) return undefined;
      at = end + skipped[1].length;
      continue;
    }
    const end = endOfTag(text, at);
    const tag = text.slice(at, end);
    if (end === -1 || !NAME.test(tag)) return undefined;
    tags.push(tag);
    at = end;
  }
  return tags;
}

/** True for an SVG document with balanced tags, which browsers can show as an image. */
export function isSvgImage(text: string): boolean {
  const tags = tagsOf(text);
  const [root = ''] = tags ?? [];
  if (!tags || !/^<svg[\s/>]/.test(root) || !NAMESPACE.test(root)) return false;
  const open: string[] = [];
  for (const [index, tag] of tags.entries()) {
    if (index > 0 && open.length === 0) return false;
    const [, name = ''] = NAME.exec(tag) ?? [];
    if (!tag.startsWith('</')) open.push(name);
    else if (open.pop() !== name) return false;
    if (tag.endsWith('/>')) open.pop();
  }
  return open.length === 0;
}

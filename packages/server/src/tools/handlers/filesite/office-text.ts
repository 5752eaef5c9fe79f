import { sliceText } from '../../../text/slice-text.js';
import { type ReadZip, readZip, ZipError } from './read-zip.js';

/** Extracted text of a document. `isTruncated` is true if the document has more text than the limit. */
export interface DocumentText {
  readonly text: string;
  readonly isTruncated: boolean;
}

const MAX_CHARACTERS = 2_000_000;

/**
 * Collects the text of an office document, up to 2 million characters. A limit is necessary because the cells of a
 * small spreadsheet can refer to one long text very often.
 */
function createCollector() {
  const parts: string[] = [];
  let room = MAX_CHARACTERS;
  return {
    add(text: string): void {
      if (room > 0 && text !== '') parts.push(sliceText(text, 0, room));
      room -= text.length;
    },
    isFull: () => room <= 0,
    end: (): DocumentText => ({ text: parts.join(''), isTruncated: room < 0 }),
  };
}

type Collector = ReturnType<typeof createCollector>;

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);

function characterOf(entity: string): string {
  if (!entity.startsWith('#')) return ENTITIES.get(entity) ?? '';
  const code = entity[1] === 'x' ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : '';
}

const unescapeXml = (text: string): string =>
  text.includes('&') ? text.replace(/&(#?\w{1,8});/g, (_, entity: string) => characterOf(entity)) : text;

interface Token {
  /** Name of an XML tag, with a leading slash for an end tag. Empty for text between tags. */
  readonly tag: string;
  /** Text between XML tags, or the characters between `<` and `>` of an XML tag. */
  readonly content: string;
}

/** Splits XML into tags and text in one pass. */
function* tokensOf(xml: string): Generator<Token> {
  let at = 0;
  while (at < xml.length) {
    const open = xml.indexOf('<', at);
    const textEnd = open === -1 ? xml.length : open;
    if (textEnd > at) yield { tag: '', content: xml.slice(at, textEnd) };
    if (open === -1) return;
    const close = xml.indexOf('>', open);
    if (close === -1) return;
    const content = xml.slice(open + 1, close);
    yield { tag: /^\/?[\w:.-]*/.exec(content)?.[0] ?? '?', content };
    at = close + 1;
  }
}

/**
 * Adds the text of an XML document to `collector`: the text in elements with the tag `inside`, and for each tag in
 * `marks` its separator, such as a line break.
 */
function addText(xml: string, collector: Collector, { inside, marks }: Markup): void {
  let isInside = false;
  for (const { tag, content } of tokensOf(xml)) {
    if (collector.isFull()) return;
    if (tag === '') {
      if (isInside) collector.add(unescapeXml(content));
      continue;
    }
    if (tag === inside) isInside = !content.endsWith('/');
    else if (tag === `/${inside}`) isInside = false;
    collector.add(marks[tag] ?? '');
  }
}

interface Markup {
  readonly inside: string;
  readonly marks: Readonly<Record<string, string>>;
}

const WORDS: Markup = {
  inside: 'w:t',
  marks: { '/w:p': '\n', 'w:br': '\n', 'w:cr': '\n', 'w:tab': '\t', '/w:tc': '\t' },
};
const SLIDES: Markup = { inside: 'a:t', marks: { '/a:p': '\n', 'a:br': '\n' } };

type Parts = ReadonlyMap<string, string>;

function addWords(parts: Parts, collector: Collector): void {
  const xml = parts.get('word/document.xml');
  if (xml === undefined) throw new ZipError('it has no text');
  addText(xml, collector, WORDS);
}

const numberIn = (name: string): number => Number(/(\d{1,6})\.xml$/.exec(name)?.[1] ?? 0);
const numbered = (parts: Parts, folder: string): [string, string][] =>
  [...parts].filter(([name]) => name.startsWith(folder)).sort(([a], [b]) => numberIn(a) - numberIn(b));

function addSlides(parts: Parts, collector: Collector): void {
  for (const [name, xml] of numbered(parts, 'ppt/slides/')) {
    collector.add(`--- Slide ${numberIn(name)} ---\n`);
    addText(xml, collector, SLIDES);
  }
}

/** Reads the shared strings of a spreadsheet, which its cells refer to by index. */
function readSharedTexts(xml: string): readonly string[] {
  const texts: string[] = [];
  let isText = false;
  for (const { tag, content } of tokensOf(xml)) {
    if (tag === 'si') texts.push('');
    else if (tag === 't') isText = !content.endsWith('/');
    else if (tag === '/t') isText = false;
    else if (tag === '' && isText) texts.push((texts.pop() ?? '') + unescapeXml(content));
  }
  return texts;
}

/** Converts a cell reference such as `AB12` to its column index, counted from 0. */
function columnOf(cell: string): number | undefined {
  const letters = /\br="([A-Z]{1,3})\d/.exec(cell)?.[1];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Adds the rows of a spreadsheet's sheet as lines of text. Columns are separated by tabs. */
function addSheet(xml: string, collector: Collector, shared: readonly string[]): void {
  let [column, isShared, isValue] = [0, false, false];
  for (const { tag, content } of tokensOf(xml)) {
    if (collector.isFull()) return;
    if (tag === 'row') column = 0;
    else if (tag === '/row') collector.add('\n');
    else if (tag === 'c') {
      const next = columnOf(content) ?? column;
      collector.add('\t'.repeat(Math.max(0, next - column)));
      column = Math.max(next, column);
      isShared = /\bt="s"/.test(content);
    } else if (tag === 'v' || tag === 't') isValue = !content.endsWith('/');
    else if (tag === '/v' || tag === '/t') isValue = false;
    else if (tag === '' && isValue)
      collector.add(isShared ? (shared[Number(content)] ?? '') : unescapeXml(content));
  }
}

function addSheets(parts: Parts, collector: Collector): void {
  const shared = readSharedTexts(parts.get('xl/sharedStrings.xml') ?? '');
  for (const [name, xml] of numbered(parts, 'xl/worksheets/')) {
    collector.add(`--- Sheet ${numberIn(name)} ---\n`);
    addSheet(xml, collector, shared);
  }
}

/** Office file format: selects the entries of the ZIP file that contain text, and extracts their text. */
export interface Format {
  readonly isWanted: ReadZip['isWanted'];
  readonly add: (parts: Parts, collector: Collector) => void;
}

/** Office file formats by file extension. */
export const OFFICE_FORMATS: ReadonlyMap<string, Format> = new Map([
  ['docx', { isWanted: (name) => name === 'word/document.xml', add: addWords }],
  ['pptx', { isWanted: (name) => /^ppt\/slides\/slide\d+\.xml$/.test(name), add: addSlides }],
  [
    'xlsx',
    { isWanted: (name) => /^xl\/(?:sharedStrings|worksheets\/sheet\d+)\.xml$/.test(name), add: addSheets },
  ],
]);

/**
 * Extracts the plain text of an office document. Throws ZipError if the document is damaged, encrypted or too large.
 */
export async function readOfficeText(
  bytes: Buffer,
  { isWanted, add }: Format,
  take: ReadZip['take'],
): Promise<DocumentText> {
  const parts = await readZip(bytes, { isWanted, take });
  const collector = createCollector();
  add(parts, collector);
  return collector.end();
}

import { isObject } from '../../json.js';
import { iconShape } from './file-shape.js';
import { richTextShape, TEXT_COLORS } from './rich-text.js';
import {
  boolean,
  each,
  list,
  nullable,
  number,
  object,
  oneOf,
  type Shape,
  should,
  tagged,
  text,
  uuid,
} from './shape.js';

const LANGUAGES: readonly string[] =
  `abap,abc,agda,arduino,ascii art,assembly,bash,basic,bnf,c,c#,c++,clojure,coffeescript,coq,css,dart,dhall,diff,docker,ebnf,elixir,elm,erlang,f#,flow,fortran,gherkin,glsl,go,graphql,groovy,haskell,hcl,html,idris,java,java/c/c++/c#,javascript,json,julia,kotlin,latex,less,lisp,livescript,llvm ir,lua,makefile,markdown,markup,matlab,mathematica,mermaid,nix,notion formula,objective-c,ocaml,pascal,perl,php,plain text,powershell,prolog,protobuf,purescript,python,r,racket,reason,ruby,rust,sass,scala,scheme,scss,shell,smalltalk,solidity,sql,swift,toml,typescript,vb.net,verilog,vhdl,visual basic,webassembly,xml,yaml`.split(
    ',',
  );

const HEADINGS = 'heading_1 heading_2 heading_3 heading_4';
const TEXTS = 'bulleted_list_item numbered_list_item quote toggle';

type Variants = Record<string, Shape>;

const color = oneOf(...TEXT_COLORS);
const external = object({ url: text({ min: 1, max: 2000 }) }, ['url']);
const uploaded = object({ id: uuid }, ['id']);
const media = tagged({ external, file_upload: uploaded }, { caption: richTextShape, name: text() });

/** Maximum nesting depth of blocks in one request, as in the real service. */
const MAX_DEPTH = 2;

function childrenAt(depth: number): Shape {
  if (depth > MAX_DEPTH) return (value, path) => should(path, 'not present', value);
  return (value, path) => list(blockAt(depth), { max: 100 })(value, path);
}

function childrenOf(type: string | undefined, depth: number, min: number): Shape {
  return (value, path) => {
    const problems = childrenAt(depth)(value, path);
    if (problems.length > 0 || !Array.isArray(value)) return problems;
    if (value.length < min) return should(`${path}.length`, `≥ \`${min}\``, value.length);
    return value.flatMap((child, index) =>
      type === undefined || (isObject(child) && child[type] !== undefined)
        ? []
        : should(`${path}[${index}].${type}`, 'defined', undefined),
    );
  };
}

/** Requires each row of a table to have as many cells as `table_width`. */
function withFullRows(table: Shape): Shape {
  return (value, path) => {
    const problems = table(value, path);
    if (problems.length > 0 || !isObject(value) || !Array.isArray(value.children)) return problems;
    return value.children.flatMap(({ table_row: { cells } }, index) =>
      cells.length === value.table_width
        ? []
        : should(
            `${path}.children[${index}].table_row.cells.length`,
            `\`${value.table_width}\``,
            cells.length,
          ),
    );
  };
}

const width_ratio = number({ min: 0, max: 1 });

function textual(depth: number, extra: Variants = {}): Shape {
  return object({ rich_text: richTextShape, color, ...extra, children: childrenAt(depth + 1) }, [
    'rich_text',
  ]);
}

const link = object({ url: text({ max: 2000 }), caption: richTextShape }, ['url']);
const code = { rich_text: richTextShape, caption: richTextShape, language: oneOf(...LANGUAGES) };
const tableFlags = { has_column_header: boolean, has_row_header: boolean };

const LEAVES: Variants = {
  code: object(code, ['rich_text', 'language']),
  ...each('divider breadcrumb', object({})),
  table_of_contents: object({ color }),
  equation: object({ expression: text({ max: 1000 }) }, ['expression']),
  ...each('bookmark embed', link),
  ...each('image video file pdf audio', media),
  link_to_page: tagged({ page_id: uuid, database_id: uuid, comment_id: uuid }),
  table_row: object({ cells: list(richTextShape) }, ['cells']),
};

function variantsAt(depth: number): Variants {
  const children = childrenAt(depth + 1);
  const plain = textual(depth);
  const heading = textual(depth, { is_toggleable: boolean });
  // Columns do not count as a nesting level of their own.
  const columns = childrenOf('column', depth, 2);
  const table = {
    table_width: number({ min: 1, integer: true }),
    ...tableFlags,
    children: childrenOf('table_row', depth + 1, 1),
  };
  return {
    paragraph: textual(depth, { icon: iconShape }),
    ...each(HEADINGS, heading),
    ...each(TEXTS, plain),
    to_do: textual(depth, { checked: boolean }),
    callout: textual(depth, { icon: iconShape }),
    synced_block: object(
      { synced_from: nullable(object({ block_id: uuid, type: oneOf('block_id') }, ['block_id'])), children },
      ['synced_from'],
    ),
    template: object({ rich_text: richTextShape, children }, ['rich_text']),
    tab: object({ children: childrenOf('paragraph', depth + 1, 1) }, ['children']),
    column_list: object({ children: columns }, ['children']),
    column: object({ children: childrenOf(undefined, depth + 1, 1), width_ratio }, ['children']),
    table: withFullRows(object(table, ['table_width', 'children'])),
    ...LEAVES,
  };
}

const cache = new Map<number, Shape>();

function blockAt(depth: number): Shape {
  const known = cache.get(depth) ?? tagged(variantsAt(depth), { object: oneOf('block') });
  cache.set(depth, known);
  return known;
}

export const BLOCK_TYPES: readonly string[] = Object.keys(variantsAt(0));

/** Block types to which a later request can add children. */
const PARENTS = new Set(
  'paragraph bulleted_list_item numbered_list_item quote toggle to_do callout template tab column column_list synced_block table'.split(
    ' ',
  ),
);

export function canHaveChildren(type: string, content: Readonly<Record<string, unknown>>): boolean {
  return PARENTS.has(type) || content.is_toggleable === true;
}

export const childrenShape: Shape = list((value, path) => blockAt(0)(value, path), { max: 100 });

/** Validates the content of a block update (PATCH). All fields are optional, and children are not allowed. */
export function blockUpdateShape(): Shape {
  const plain = { rich_text: richTextShape, color };
  const linked = object({ url: text({ max: 2000 }), caption: richTextShape });
  const own: Variants = {
    ...LEAVES,
    ...each(HEADINGS, object({ ...plain, is_toggleable: boolean })),
    ...each(TEXTS, object(plain)),
    paragraph: object({ ...plain, icon: iconShape }),
    template: object({ rich_text: richTextShape }),
    tab: object({}),
    column: object({ width_ratio }),
    to_do: object({ ...plain, checked: boolean }),
    callout: object({ ...plain, icon: iconShape }),
    code: object(code),
    ...each('bookmark embed', linked),
    table: object(tableFlags),
  };
  return object({
    ...own,
    type: oneOf(...BLOCK_TYPES),
    ...each('archived in_trash', boolean),
    object: oneOf('block'),
  });
}

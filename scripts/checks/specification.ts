/** Input of a tool in the product's specification. */
export interface SpecifiedInput {
  readonly name: string;
  readonly types: readonly string[];
  readonly required: boolean;
  readonly lowest?: number;
  readonly highest?: number;
  readonly values?: readonly string[];
  readonly default?: string;
}

/** Tool that specification.txt requires. */
export interface SpecifiedTool {
  readonly name: string;
  readonly versionInputs: boolean;
  readonly inputs: readonly SpecifiedInput[];
  readonly oneOf: readonly string[] | undefined;
  /** Defaults that the catalogue sets although the product's specification states none, by input name. */
  readonly ownDefaults: Readonly<Record<string, string>>;
}

const INPUT =
  /^(?<name>\w+):(?<types>[a-z[\]|]+)(?:\((?<lowest>\d*)\.\.(?<highest>\d*)\))?(?:\{(?<values>[^}]+)\})?(?:=(?<fallback>[\w-]+))?(?<required>!?)$/;

function parseInput(text: string): SpecifiedInput {
  const { name, types, lowest, highest, values, fallback, required } = INPUT.exec(text)?.groups ?? {};
  if (name === undefined || types === undefined)
    throw new Error(
      `scripts/checks/specification.txt: "${text}" is not an input. Write name:type, as in limit:integer(1..100).`,
    );
  return {
    name,
    types: types.split('|'),
    required: required === '!',
    ...(lowest ? { lowest: Number(lowest) } : {}),
    ...(highest ? { highest: Number(highest) } : {}),
    ...(values === undefined ? {} : { values: values.split(',') }),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}

/**
 * Returns the comma-separated arguments in parentheses after a name in the rules of a tool. Undefined if the name does
 * not occur.
 */
function argumentsOf(name: string, rules: string): string[] | undefined {
  const [, after] = rules.split(`${name}(`, 2);
  return after?.split(')', 1).join().split(',');
}

function parseTool(line: string): SpecifiedTool {
  const [head = '', inputs = '', rules = ''] = line.split(' | ').map((part) => part.trim());
  const [name = '', flag] = head.split(/[ |]+/);
  const own = argumentsOf('ours', rules) ?? [];
  return {
    name,
    versionInputs: flag === '+versions',
    inputs: inputs.split(' ').filter(Boolean).map(parseInput),
    oneOf: argumentsOf('oneOf', rules),
    ownDefaults: Object.fromEntries(own.map((pair) => pair.split('='))),
  };
}

/**
 * Parses the product's specification of tools, as transcribed in specification.txt. Lines that begin with # are
 * comments.
 */
export function parseSpecification(text: string): SpecifiedTool[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.map(parseTool);
}

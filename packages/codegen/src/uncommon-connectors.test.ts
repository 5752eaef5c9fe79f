import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compileProgram, petsFiles, temporaryFolder, writeFiles } from '../test/fixture.js';
import { runCommand } from './run-command.js';

const text = { type: 'string' };
const open = (properties: object, rest: object = {}) => ({
  type: 'object',
  additionalProperties: true,
  properties,
  ...rest,
});
const Pet = { $ref: 'types.json#/$defs/Pet' };

/** Creates a tool file whose tool has one input, `about`. */
const tool = (name: string, about: object, output: object) => ({
  name: `pets_${name}`,
  title: 'Look at a pet',
  description: 'Looks at a pet in a way that other connectors seldom know.',
  hints: { readOnly: true, destructive: false, idempotent: true },
  versions: [
    {
      schema_version: '1.0.0',
      tool_version: '1.0.0',
      status: 'current',
      input: {
        type: 'object',
        additionalProperties: false,
        properties: { about: { ...about, description: 'What to look at.' } },
      },
      output,
      request: { method: 'POST', path: '/pets', body: '{about}' },
    },
  ],
  examples: [{ title: 'One', input: {} }],
});

const labels = { type: 'object', additionalProperties: false, patternProperties: { '^x-': text } };
const intersection = open({ at: text }, { allOf: [{ $ref: 'types.json#/$defs/Owner' }] });
const union = open({ at: text }, { anyOf: [open({ garden: text }), open({ house: { type: 'integer' } })] });

/** Generates a connector package with these tools, and compiles a program against it. */
async function compile(tools: readonly ReturnType<typeof tool>[], program: string) {
  const folder = temporaryFolder();
  const files = tools.map((file) => [`pets/tools/${file.name}.json`, file]);
  const schemas = writeFiles(temporaryFolder(), { ...petsFiles, ...Object.fromEntries(files) });
  const run = await runCommand(['--schemas', schemas, '--out', join(folder, 'packages')]);
  return run.exitCode === 0 ? compileProgram(folder, program) : run.lines;
}

const START = `import { createClient } from '@svc/core';
import { pets } from '@svc/pets';
const tools = pets(createClient(), 'acct_1');
`;

test('types patternProperties, and combinators together with properties', async () => {
  const lines = [
    "await tools.new({ about: { 'x-colour': 'red' } });",
    '// @ts-expect-error: such a field is a text',
    "await tools.new({ about: { 'x-colour': 1 } });",
    'const intersection = (await tools.new()).data;',
    'const texts: (string | undefined)[] = [intersection.name, intersection.at];',
    'const union = (await tools.union()).data;',
    "const house: string | number | undefined = 'house' in union ? union.house : union.at;",
  ];
  const program = `${START}${lines.join('\n')}\nexport {};\n`;
  expect(await compile([tool('new', labels, intersection), tool('union', {}, union)], program)).toEqual([]);
});

test('refuses a shape whose type name a tool already uses', async () => {
  expect(await compile([tool('pet', Pet, Pet)], '')).toEqual([
    'pets/types.json: $defs.Pet: the package already has a type "PetInput"; rename the shape',
  ]);
});

test('uses the same type names in every module for a tool name with a letter after a digit', async () => {
  const program = `${START}await tools.get2fa();\nexport {};\n`;
  expect(await compile([tool('get_2fa', {}, { type: 'null' })], program)).toEqual([]);
});

const CORE = fileURLToPath(new URL('../../core', import.meta.url));
const SETS = "(globalThis['hacked'] = true)";
const HOSTILE = [
  SETS,
  `'; ${SETS}; '`,
  `\\'; ${SETS}; //`,
  `*/ ${SETS} /*`,
  `\n${SETS};\r${SETS};\u2028${SETS};\u2029${SETS};`,
  `\`; ${SETS}; \${${SETS}}`,
];
const hostileValues = [...HOSTILE, ...HOSTILE.map((expression) => ({ expression }))];
const hostileText = HOSTILE.join(' ');
const hostileKeys = JSON.parse(`{"__proto__":1,"constructor":2,${JSON.stringify(SETS)}:3}`);

test.each(hostileValues)(
  'writes the texts and values of a catalogue as data and never as code: %j',
  async (value) => {
    const [text, key] = typeof value === 'string' ? [value, value] : [hostileText, SETS];
    const words = `Looks at a pet for its owner. ${text}`;
    const about = {
      description: text,
      title: text,
      default: value,
      enum: [value, 'other', { ...hostileKeys, [key]: value }],
      examples: [value],
    };
    const hostile = tool('new', about, open({ [key]: { description: text, const: value } }));
    const file = {
      ...hostile,
      title: `Look ${SETS}`,
      description: words,
      examples: [{ title: text, input: { about: value } }],
    };
    const connector = {
      ...(petsFiles['pets/connector.json'] as object),
      service: SETS,
      description: text,
      api: text,
    };
    const folder = temporaryFolder();
    const schemas = writeFiles(temporaryFolder(), {
      ...petsFiles,
      'pets/connector.json': connector,
      'pets/tools/pets_new.json': file,
    });
    const { lines, exitCode } = await runCommand(['--schemas', schemas, '--out', folder]);
    expect({ lines, exitCode }).toMatchObject({ exitCode: 0 });
    writeFiles(folder, { 'node_modules/@svc/keep': '' });
    symlinkSync(CORE, join(folder, 'node_modules/@svc/core'));
    const written = readdirSync(join(folder, 'pets/src'), { recursive: true, encoding: 'utf8' });
    for (const source of written.filter((name) => name.endsWith('.ts')))
      await import(/* @vite-ignore */ join(folder, 'pets/src', source));
    expect(globalThis).not.toHaveProperty('hacked');
    const { schemas: read } = await import(/* @vite-ignore */ join(folder, 'pets/src/schemas.ts'));
    expect(read.pets_new).toMatchObject({
      description: `${SETS}: ${words}`,
      inputSchema: { properties: { about: { default: value, enum: about.enum } } },
    });
  },
);

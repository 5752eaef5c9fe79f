import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isObject } from '../../../src/json.js';
import type { Typed } from './vendor-types.js';

const TSC = path.join(
  path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
);

const IMPORTS = [
  "import type * as notion from '@notionhq/client';",
  "import type * as graph from '@microsoft/microsoft-graph-types';",
  "import type * as calendar from '@googleapis/calendar';",
  "import type * as youtube from '@googleapis/youtube';",
  "import type * as analytics from '@googleapis/youtubeanalytics';",
  "import type * as apify from 'apify-client';",
];

const OPTIONS = {
  ...{ noEmit: true, strict: true, skipLibCheck: true, target: 'ES2023', lib: ['ES2024', 'DOM'] },
  ...{ module: 'NodeNext', moduleResolution: 'NodeNext', types: ['node'] },
};

/** Apify's client converts fields whose names end with `At` into Date objects. */
const isDate = (name: string, type: string) => type.includes('apify.') && name.endsWith('At');

function literal(value: unknown, type: string): string {
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, type)).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, inner]) => {
    const text = literal(inner, type);
    return `${JSON.stringify(name)}: ${isDate(name, type) && inner !== null ? `new Date(${text})` : text}`;
  });
  return `{ ${fields.join(', ')} }`;
}

/**
 * Compiles each value as a constant of its vendor type. Returns the compiler errors, each with the name of the value.
 */
export function assignResponses(responses: readonly Typed[]): string[] {
  const lines = [...new Set(responses.map(({ type, value }) => `: ${type} = ${literal(value, type)};`))];
  const folder = mkdtempSync(path.join(import.meta.dirname, '.recorded-'));
  try {
    writeFileSync(
      path.join(folder, 'responses.ts'),
      [...IMPORTS, ...lines.map((line, index) => `export const response${index}${line}`)].join('\n'),
    );
    writeFileSync(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: OPTIONS, include: ['responses.ts'] }),
    );
    const { stdout } = spawnSync(process.execPath, [TSC, '-p', folder, '--pretty', 'false'], {
      encoding: 'utf8',
    });
    return stdout.split(/\n(?=\S)/).filter((line) => line.includes('error TS'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes a catalogue of at least `atLeast` tools by copying the connectors of a folder repeatedly, each under a new
 * id.
 */
export function copyConnectors(from: string, to: string, atLeast: number): number {
  const ids = readdirSync(from).filter((id) => existsSync(join(from, id, 'tools')));
  let total = 0;
  for (let copy = 0; total < atLeast; copy += 1)
    for (const id of ids)
      total += copyConnector(join(from, id), join(to, `${id}x${copy}`), [id, `${id}x${copy}`]);
  return total;
}

function copyConnector(from: string, to: string, [id, name]: readonly [string, string]): number {
  const prefix = new RegExp(`(?<![a-z_])${id}_`, 'g');
  const tools = readdirSync(join(from, 'tools'));
  mkdirSync(join(to, 'tools'), { recursive: true });
  const connector = readFileSync(join(from, 'connector.json'), 'utf8');
  writeFileSync(join(to, 'connector.json'), connector.replaceAll(`"${id}"`, `"${name}"`));
  if (existsSync(join(from, 'types.json'))) cpSync(join(from, 'types.json'), join(to, 'types.json'));
  for (const file of tools) {
    const text = readFileSync(join(from, 'tools', file), 'utf8');
    writeFileSync(join(to, 'tools', file.replace(prefix, `${name}_`)), text.replaceAll(prefix, `${name}_`));
  }
  return tools.length;
}

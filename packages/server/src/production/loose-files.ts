import { readdirSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { COMPILE_CACHE } from '../config/compile-cache.js';
import { FIRST_SECRETS, SIGN_IN_LINK } from '../storage/secret-file.js';
import type { Surroundings } from './surroundings.js';

const ROOT = 0;
const DATA = [
  '',
  'svc.db',
  'svc.db-wal',
  'svc.db-shm',
  'svc.db.lock',
  'spool',
  COMPILE_CACHE,
  FIRST_SECRETS.name,
  SIGN_IN_LINK.name,
];

/**
 * Returns `undefined` if the file is missing or unreadable. The start itself reports this problem, so the permission
 * check does not.
 */
function tryStat(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

/**
 * Returns the permission bits that other users must not have. The group may read a file if root owns it and shares it
 * with the service.
 */
function forbiddenBits(owner: number, own: number, mayRead: boolean): number {
  if (mayRead) return 0o022;
  return owner === own ? 0o077 : 0o037;
}

function describe(file: string, { mayRead = false } = {}): readonly string[] {
  const own = process.getuid?.();
  const stats = tryStat(file);
  if (own === undefined || stats === undefined) return [];
  if (stats.uid !== own && stats.uid !== ROOT)
    return [`${file} belongs to the user ${stats.uid}. Give it to the user of the service with \`chown\`.`];
  const mode = stats.mode & 0o777;
  if ((mode & forbiddenBits(stats.uid, own, mayRead)) === 0) return [];
  const has = `${file} has the mode 0${mode.toString(8)}, so other users can`;
  return mayRead
    ? [`${has} change it. Run \`chmod go-w ${file}\`, and check that nobody has changed its content.`]
    : [
        `${has} access it. Run \`chmod go-rwx ${file}\`, and replace its secrets if others may have read them.`,
      ];
}

/** Finds the data folder and its files if other users can access them. */
export function findLooseData({ config: { data } }: Surroundings): readonly string[] {
  if (tryStat(data)?.isDirectory() === false)
    return [`The data folder ${data} is a file. Set SVC_DATA to a folder.`];
  return DATA.flatMap((name) => describe(path.join(data, name)));
}

/** Finds files with keys or secrets that other users can access. The settings refer to these files by `file:/path`. */
export function findLooseSecrets({ config, env }: Surroundings): readonly string[] {
  const given = Object.entries(env).flatMap(([name, value]) =>
    /^(SVC_|DATABASE_URL$)/.test(name)
      ? (value ?? '').split(',').flatMap((part) => /^\s*file:(.+)$/.exec(part)?.[1] ?? [])
      : [],
  );
  return [path.join(config.data, 'root.key'), ...given].flatMap((file) => describe(file));
}

/** Finds catalogue files that other users can write. Their connectors decide to which hosts credentials are sent. */
export const findLooseCatalogs = ({ config }: Surroundings): readonly string[] =>
  config.catalogFolders.flatMap((folder) => {
    const inside = tryStat(folder)?.isDirectory() ? readdirSync(folder, { recursive: true }) : [];
    return [folder, ...inside.map((name) => path.join(folder, String(name)))].flatMap((file) =>
      describe(file, { mayRead: true }),
    );
  });

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isObject, parseJson } from '../json.js';
import type { Entry } from './token-store.js';

export interface Consent {
  readonly grantId: string;
  readonly clientId: string;
  readonly personId: string;
  readonly scopes: readonly string[];
  readonly refreshToken: boolean;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Saved OAuth grants and tokens of one emulated authorization server. */
export interface Grants {
  readonly entries: readonly Entry[];
  readonly approvals: readonly Consent[];
}

/** File that stores the grants of all emulated authorization servers across restarts. */
export interface GrantFile {
  /** Returns the grants that an earlier sandbox saved for an emulated service. */
  read(id: string): Grants;
  /** Registers an authorization server. Each save calls `current` for its grants. */
  add(id: string, current: () => Grants): void;
  /** Schedules one save after all changes of the current request. */
  saveSoon(): void;
  save(): void;
}

const NONE: Grants = { entries: [], approvals: [] };

// Only the sandbox writes this file, so a shallow check is enough. A damaged file counts as empty, and users connect
// their accounts again.
function isGrants(value: unknown): value is Grants {
  return isObject(value) && Array.isArray(value.entries) && Array.isArray(value.approvals);
}

function readFile(file: string): Readonly<Record<string, unknown>> {
  try {
    const saved = parseJson(readFileSync(file, 'utf8'));
    return isObject(saved) ? saved : {};
  } catch {
    return {};
  }
}

const unsaved = (error: unknown): string =>
  `The sandbox cannot save which accounts were connected (${error instanceof Error ? error.message : error}). After a restart, users must connect their accounts again. Check the data folder and the free space of its disk.`;

/**
 * Opens the grant file, which only the current OS user can read. Without a path, nothing is stored. If a save fails,
 * the sandbox goes on and prints one warning.
 */
export function openGrantFile(file: string | undefined): GrantFile {
  if (file === undefined) return { read: () => NONE, add: () => {}, saveSoon: () => {}, save: () => {} };
  const saved = readFile(file);
  const servers = new Map<string, () => Grants>();
  let pending: NodeJS.Immediate | undefined;
  let isFailing = false;

  function save(): void {
    clearImmediate(pending);
    pending = undefined;
    const all = Object.fromEntries([...servers].map(([id, current]) => [id, current()]));
    try {
      writeFileSync(`${file}.new`, JSON.stringify(all), { mode: 0o600 });
      renameSync(`${file}.new`, file ?? '');
      isFailing = false;
    } catch (error) {
      if (!isFailing) process.emitWarning(unsaved(error));
      isFailing = true;
    }
  }

  return {
    read(id) {
      const grants = saved[id];
      return isGrants(grants) ? grants : NONE;
    },
    add: (id, current) => void servers.set(id, current),
    saveSoon() {
      pending ??= setImmediate(save);
    },
    save,
  };
}

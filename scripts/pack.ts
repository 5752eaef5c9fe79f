import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { packPackage } from './pack-package.ts';
import { readManifests } from './workspace.ts';

// Packs every published package into the folder packed/, so that a project can install packages before their release.

const into = path.join(import.meta.dirname, '../packed');
rmSync(into, { recursive: true, force: true });
mkdirSync(into);
for (const [file, { name, private: isPrivate }] of readManifests())
  if (!isPrivate) console.log(packPackage({ name, folder: path.dirname(file), into }).tarball);

import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { JSONSchema } from 'json-schema-to-typescript';
import { type EventSchema, eventFiles, readEvent } from '../generate/event-types.ts';
import { findReleaseCommit, git } from '../release/release-commit.ts';

// Checks that no event type has changed incompatibly since the last release, and that each file in schemas/events/ has
// the name of its event type.

/** Returns the differences of an event type that break receivers which were written for its released version. */
function breaksOf(released: EventSchema, current: EventSchema | undefined): readonly string[] {
  if (current === undefined) return [`${released.type} was removed; restore its file`];
  const [before, after] = [released.data.properties ?? {}, current.data.properties ?? {}];
  const shapeOf = ({ description: _, ...shape }: JSONSchema) => shape;
  return [
    ...Object.keys(before)
      .filter((name) => !isDeepStrictEqual(shapeOf(before[name] ?? {}), shapeOf(after[name] ?? {})))
      .map((name) => `${released.type} changed its field ${name}; add a field or a type instead`),
    ...released.data.required
      .filter((name) => !current.data.required.includes(name))
      .map((name) => `${released.type} no longer requires ${name}; keep it required`),
    ...current.data.required
      .filter((name) => !(name in before))
      .map((name) => `${released.type} requires the new field ${name}; make it optional`),
  ];
}

/**
 * Returns changes of event types that break receivers: removed types, and changed or newly required fields. Compares
 * with the last release.
 */
function releaseProblems(schemas: readonly EventSchema[]): readonly string[] {
  const release = findReleaseCommit();
  if (release === undefined) return [];
  const names = (git('ls-tree', '-r', '--name-only', release, 'schemas/events/') ?? '').split('\n');
  return names
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const released: EventSchema = JSON.parse(git('show', `${release}:${name}`) ?? '');
      return breaksOf(
        released,
        schemas.find(({ type }) => type === released.type),
      );
    });
}

const problems = [
  ...eventFiles
    .filter((file) => path.basename(file, '.json') !== readEvent(file).type)
    .map((file) => `${file} has another type than its name; rename it`),
  ...releaseProblems(eventFiles.map(readEvent)),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const STARTS_PROCESSES = /from '[^']*\/(?:service-process|gated-service|fleet|command)\.js'/;

// The leading space sorts the `-apart` projects first. Other files stay grouped by project, because Vitest reuses a
// worker only within one project.
const projectOf = ({ project: { name } }: TestSpecification): string =>
  name.endsWith('-apart') ? ` ${name}` : name;

/** Runs test files that start processes first in their project, because a slow file at the end would run alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = (file: TestSpecification): string =>
      `${projectOf(file)} ${STARTS_PROCESSES.test(readFileSync(file.moduleId, 'utf8')) ? 0 : 1}`;
    const ranks = new Map(files.map((file) => [file, rankOf(file)]));
    const rank = (file: TestSpecification): string => ranks.get(file) ?? '';
    const ordered = await super.sort(files);
    return ordered.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
  }
}

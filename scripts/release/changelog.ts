// Writes the entries of the packages' changelogs at a release, for `changeset version`. The default entries of
// changesets name commits, and have a line for each updated dependency.

interface Released {
  readonly name: string;
  readonly newVersion: string;
}

export const getReleaseLine = ({ summary }: { readonly summary: string }): string =>
  `- ${summary.trimEnd().replaceAll('\n', '\n  ')}`;

export function getDependencyReleaseLine(_changesets: unknown, updated: readonly Released[]): string {
  const versions = updated.map(({ name, newVersion }) => `${name}@${newVersion}`);
  return versions.length === 0 ? '' : `- Updated dependencies: ${versions.join(', ')}`;
}

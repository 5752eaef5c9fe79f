// Writes the entries of the packages' changelogs at a release, for `changeset version`. The default entries of
// changesets name commits, and have a line for each updated dependency.

interface Released {
  readonly name: string;
  readonly newVersion: string;
}

export function getReleaseLine({ summary }: { readonly summary: string }): string {
  const text = summary.trimEnd();
  // The changeset of a connector is a list already, with an item for each change.
  return text.startsWith('- ') ? text : `- ${text.replaceAll(/\n(?=.)/g, '\n  ')}`;
}

export function getDependencyReleaseLine(_changesets: unknown, updated: readonly Released[]): string {
  const versions = updated.map(({ name, newVersion }) => `${name}@${newVersion}`);
  return versions.length === 0 ? '' : `- Updated dependencies: ${versions.join(', ')}`;
}

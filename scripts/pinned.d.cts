export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** Gives the folder of the first package; fetches them once, and refuses other bytes. */
export function bringPinned(root: string, packages: readonly PinnedPackage[]): string;

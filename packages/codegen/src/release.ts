export { type Change, highestLevel, type Level } from './release/change.js';
export { type ConnectorChanges, compareRelease, type ReleaseChange } from './release/compare-release.js';
export { compareSchemas } from './release/compare-schemas.js';
export { describeRelease, type PackageVersion } from './release/describe-release.js';
export type { ReleasedConnector, ReleasedEntry, ReleasedTool, ReleaseFile } from './release/release-file.js';
export { readReleaseFile, releaseFileText } from './release/release-file-text.js';
export { bumpOf, releaseText } from './release/release-text.js';

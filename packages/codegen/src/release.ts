export { bumpOf, type Change, highestLevel, type Level } from './release/change.js';
export { type ConnectorChanges, compareRelease, type ReleaseChange } from './release/compare-release.js';
export { compareSchemas } from './release/compare-schemas.js';
export { describeRelease, type PackageVersion } from './release/describe-release.js';
export { releaseText } from './release/release-command.js';
export {
  type ReleasedConnector,
  type ReleasedEntry,
  type ReleasedTool,
  type ReleaseFile,
  readReleaseFile,
  releaseFileText,
} from './release/release-file.js';

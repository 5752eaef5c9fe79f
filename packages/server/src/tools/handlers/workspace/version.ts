/** API version of the upstream since which a database contains data sources, each with its own columns. */
export const DATA_SOURCE_VERSION = '2025-09-03';

/**
 * Header that selects the API version of a request. If `version` is `undefined`, the default of the connector applies.
 */
export const versionHeader = (version: string | undefined) =>
  version === undefined ? {} : { headers: { 'Notion-Version': version } };

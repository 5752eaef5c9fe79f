/** The version under which databases and data sources are two things. */
export const DATA_SOURCE_VERSION = '2025-09-03';

/** The part of a request that asks for a version; without one the connector's default applies. */
export const versionHeader = (version: string | undefined) =>
  version === undefined ? {} : { headers: { 'Notion-Version': version } };

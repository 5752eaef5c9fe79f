/** API version that separates databases and data sources. */
export const DATA_SOURCE_VERSION = '2025-09-03';

/** Header of a request for an API version. The connector's default applies when absent. */
export const versionHeader = (version: string | undefined) =>
  version === undefined ? {} : { headers: { 'Notion-Version': version } };

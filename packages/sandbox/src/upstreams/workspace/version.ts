import { ApiError, invalid } from './api-error.js';

/** The versions that change anything here, oldest first; older ones behave like the first. */
export const V22 = '2022-06-28';
export const V25 = '2025-09-03';
export const V26 = '2026-03-11';

const SERVED: readonly string[] = ['2021-05-11', '2021-05-13', '2021-08-16', '2022-02-22', V22, V25, V26];

export interface Version {
  /** Schema, query and rows are with data sources, not with databases. */
  readonly hasDataSources: boolean;
  /** `archived` is taken and answered, beside `in_trash`. */
  readonly hasArchived: boolean;
}

export function readVersion(header: string | string[] | undefined): Version {
  if (header === undefined || header === '') {
    const message =
      'Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.';
    throw new ApiError(400, 'missing_version', message);
  }
  const served = SERVED.map((date) => `\`"${date}"\``).join(', ');
  if (typeof header !== 'string' || !SERVED.includes(header)) {
    throw invalid(
      `Notion-Version header failed validation: Notion-Version header should be one of ${served}, instead was \`"${header}"\`.`,
    );
  }
  return { hasDataSources: header >= V25, hasArchived: header < V26 };
}

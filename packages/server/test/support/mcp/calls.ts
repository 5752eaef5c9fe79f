import { loadCatalog } from '@svc/catalog';

const NAMES = [
  'calendar_list_calendars',
  'convintel_users_list',
  'filesite_find_site',
  'network_geo_search',
  'notesmcp_list_meetings',
  'scrapermcp_search_actors',
  'video_video_categories_list',
  'workspace_users_list',
];

const { tools } = loadCatalog();

/** A read-only tool call for each connector that has tools, with the input of the tool's first example. */
export const CALLS = NAMES.flatMap((name) => {
  const tool = tools.get(name);
  const input: Readonly<Record<string, unknown>> = tool?.examples[0]?.input ?? {};
  return tool ? [{ connector: tool.connector, name, input }] : [];
});

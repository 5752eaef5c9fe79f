import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { call, type ResponseOf } from './api/call.ts';
import { leave } from './parts/use-draft.ts';
import { hrefOf, PATHS } from './paths.ts';
import { BASE_PATH } from './service-url.ts';

export type Application = ResponseOf<'GET /operator/v1/applications'>['items'][number];

// Name of a cookie with the id of the current application. The service reads it to preload the overview of this
// application.
const COOKIE = 'svc-application';
const YEAR_S = 365 * 86_400;
const IN_PATH = /^\/dashboard\/applications\/([^/]+)(?:\/([^/]+))?/;
/** Finds the id of the application and the name of its list in the path of a page. */
export const matchPath = (path: string) => IN_PATH.exec(path.slice(BASE_PATH.length));

/** First 200 applications of the service. `undefined` until they are loaded. */
export const applications = signal<readonly Application[] | undefined>(undefined);

export async function loadApplications(signal?: AbortSignal): Promise<void> {
  const { items } = await call('GET /operator/v1/applications', { query: { pageSize: 200 } }, { signal });
  applications.value = items;
}

/** Returns the id of the application that was last open in this browser. */
export function lastApplicationId(): string | undefined {
  const all = document.cookie.split('; ');
  const value = all.find((each) => each.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
  try {
    return value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    // Invalid percent-encoding is ignored, because another service on this host may have set the cookie.
    return undefined;
  }
}

/** Stores the id of the current application in a cookie for one year. The id stays percent-encoded, as in the URL. */
function saveLast(inPath: string): void {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https and is asynchronous.
  document.cookie = `${COOKIE}=${inPath}; path=${PATHS.overview}; max-age=${YEAR_S}; samesite=strict${secure}`;
}

/**
 * Returns the id of the current application: the id in the URL, otherwise the last used application, otherwise the
 * first application.
 */
export function useApplicationId(): string | undefined {
  const { path } = useLocation();
  const inPath = matchPath(path)?.[1];
  useEffect(() => {
    if (inPath !== undefined) saveLast(inPath);
  }, [inPath]);
  if (inPath !== undefined) return decodeURIComponent(inPath);
  const last = lastApplicationId();
  const known = applications.value ?? [];
  return known.find(({ id }) => id === last)?.id ?? known[0]?.id;
}

/**
 * Select field that switches to another application. The other application opens on the list that is currently shown,
 * or on its settings.
 */
export function ApplicationChoice() {
  const applicationId = useApplicationId();
  const { path, route } = useLocation();
  useEffect(() => {
    if (applications.value === undefined) loadApplications().catch(() => undefined);
  }, []);
  const choose = (select: HTMLSelectElement) => {
    const shown = matchPath(path)?.[2];
    const list = shown === 'users' ? 'connected-accounts' : shown;
    const settings = hrefOf(PATHS.application, { applicationId: select.value });
    // Shows the current application again until the operator decides about unsaved changes.
    if (applicationId !== undefined) select.value = applicationId;
    leave(() => route(list === undefined ? settings : `${settings}/${list}`));
  };
  const known = applications.value ?? [];
  if (known.length < 2) return null;
  return (
    <label>
      <span class="hidden">Application</span>
      <select value={applicationId} onChange={(event) => choose(event.currentTarget)}>
        {known.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type Answer, call } from './api/call.ts';
import { hrefOf, PATHS } from './paths.ts';

export type Application = Answer<'GET /operator/v1/applications'>['items'][number];

// The service reads this cookie, and lets the browser preload the overview of the application.
const COOKIE = 'svc-application';
const YEAR_S = 365 * 86_400;
const IN_PATH = /^\/dashboard\/applications\/([^/]+)(?:\/([^/]+))?/;
/** The first 200; `undefined` until they are loaded. */
export const applications = signal<readonly Application[] | undefined>(undefined);

export async function loadApplications(signal?: AbortSignal): Promise<void> {
  const { items } = await call(
    'GET /operator/v1/applications',
    { query: { pageSize: 200 } },
    { ...(signal && { signal }) },
  );
  applications.value = items;
}

/** The application whose pages were open last in this browser. */
export function lastApplicationId(): string | undefined {
  const all = document.cookie.split('; ');
  const value = all.find((each) => each.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
  try {
    return value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    // Other services on the same host share its cookies.
    return undefined;
  }
}

/** Stores the id as it is encoded in the address. */
function keepLast(inPath: string): void {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the other way needs https, and does not tell at once.
  document.cookie = `${COOKIE}=${inPath}; path=/dashboard; max-age=${YEAR_S}; samesite=strict${secure}`;
}

/** The application whose pages are open: that of the address, or the last one, or the first. */
export function useApplicationId(): string | undefined {
  const { path } = useLocation();
  const inPath = IN_PATH.exec(path)?.[1];
  useEffect(() => {
    if (inPath !== undefined) keepLast(inPath);
  }, [inPath]);
  if (inPath !== undefined) return decodeURIComponent(inPath);
  const kept = lastApplicationId();
  const known = applications.value ?? [];
  return known.find(({ id }) => id === kept)?.id ?? known[0]?.id;
}

/** Opens the same list, or the settings, of another application. */
export function ApplicationChoice() {
  const applicationId = useApplicationId();
  const { path, route } = useLocation();
  useEffect(() => {
    if (applications.value === undefined) loadApplications().catch(() => undefined);
  }, []);
  const go = (chosen: string) => {
    const list = IN_PATH.exec(path)?.[2];
    const settings = hrefOf(PATHS.application, { applicationId: chosen });
    route(list === undefined ? settings : `${settings}/${list}`);
  };
  const known = applications.value ?? [];
  if (known.length < 2) return null;
  return (
    <label>
      <span class="hidden">Application</span>
      <select value={applicationId} onChange={(event) => go(event.currentTarget.value)}>
        {known.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { LocationProvider } from 'preact-iso';
import { exec } from 'preact-iso/router';
import { ApiError } from './api/api-error.ts';
import { call } from './api/call.ts';
import { preloadOverview, requestOverview } from './api/overview.ts';
import { noteNoSession, type Session, session, sessionEnd } from './api/session.ts';
import { linkToken } from './api/sign-in-link.ts';
import { applications, lastApplicationId, loadApplications } from './application-choice.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { loadPageOf } from './pages.ts';
import { type Loaded, Show, useLoaded } from './parts/loaded.tsx';
import { Toasts } from './parts/toast.tsx';
import { PATHS } from './paths.ts';
import { Shell } from './shell.tsx';
import icon from './styles/icon.png';

const KEY = 'signed-in';

/** Runs `request` only if a session may exist, because browsers log every response with status 401 as an error. */
async function ifSignedIn<Value>(request: () => Promise<Value>): Promise<Value | undefined> {
  if (localStorage.getItem(KEY) === null) return undefined;
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
    sessionEnd.value = 'expired';
    return undefined;
  }
}

effect(() => {
  if (session.value === undefined) {
    localStorage.removeItem(KEY);
    applications.value = undefined;
  }
  if (session.value) localStorage.setItem(KEY, session.value.name);
});

async function loadOverviewPage(signal: AbortSignal): Promise<Session> {
  const overview = await requestOverview(lastApplicationId(), signal);
  applications.value = overview.applications;
  preloadOverview(overview.application);
  return overview.session;
}

/** Loads the session. In parallel, it starts to load the script of the current page and the list of applications. */
async function loadOtherPage(signal: AbortSignal): Promise<Session> {
  loadPageOf(location.pathname);
  const [loaded] = await Promise.all([
    call('GET /operator/v1/session', {}, { signal }),
    // Ignores a failed request for the applications, because each component that shows applications loads them again.
    loadApplications(signal).catch(() => undefined),
  ]);
  return loaded;
}

/** Loads the session and the data of the current page, if a session may exist. */
async function start(signal: AbortSignal): Promise<true> {
  const isOverview = exec(location.pathname, PATHS.overview) !== undefined;
  session.value = await ifSignedIn(() => (isOverview ? loadOverviewPage : loadOtherPage)(signal));
  return true;
}

/**
 * Applies a sign-in or sign-out that happened in another window, because all windows of a browser share one session.
 */
async function syncSession({ key, newValue }: StorageEvent): Promise<void> {
  if (key !== KEY) return;
  if (newValue === null) return noteNoSession();
  const loaded = await ifSignedIn(() => call('GET /operator/v1/session', {})).catch(() => undefined);
  // Ignores a failed request. If the operator was signed out meanwhile, the next API call gets a 401.
  if (loaded === undefined) return;
  sessionEnd.value = undefined;
  session.value = loaded;
}

addEventListener('storage', syncSession);

function showIcon(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link) link.href = icon;
}

function Screen({ loaded }: { readonly loaded: Loaded<unknown> }) {
  if (session.value === null) return <Show of={loaded}>{() => null}</Show>;
  // Shows the sign-in page for a one-time link even if a session exists, because the link may belong to another
  // operator.
  return session.value && linkToken.value === undefined ? <Shell key={session.value.name} /> : <SignIn />;
}

export function App() {
  const loaded = useLoaded('session', start);
  useEffect(() => {
    if (!loaded.isLoading) showIcon();
  }, [loaded.isLoading]);
  return (
    <LocationProvider scope={PATHS.overview}>
      <Screen loaded={loaded} />
      <Toasts />
    </LocationProvider>
  );
}

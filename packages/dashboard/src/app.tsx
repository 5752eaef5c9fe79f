import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { LocationProvider } from 'preact-iso';
import { exec } from 'preact-iso/router';
import { ApiError } from './api/api-error.ts';
import { type CallOptions, call } from './api/call.ts';
import { askOverview, handOver } from './api/overview.ts';
import { ending, noteNoSession, type Session, session } from './api/session.ts';
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

/** Runs a request if a session may exist. Without one there is no request, because a browser logs every 401. */
async function ifSignedIn<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  if (localStorage.getItem(KEY) === null) return undefined;
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
    ending.value = 'by itself';
    return undefined;
  }
}

const findSession = (options: CallOptions = {}) =>
  ifSignedIn(() => call('GET /operator/v1/session', {}, options));

effect(() => {
  if (session.value === undefined) {
    localStorage.removeItem(KEY);
    applications.value = undefined;
  }
  if (session.value) localStorage.setItem(KEY, session.value.name);
});

/** Loads the session together with the data of the overview. */
async function beginWithOverview(signal: AbortSignal): Promise<Session> {
  const found = await askOverview(lastApplicationId(), signal);
  applications.value = found.applications;
  handOver(found.application);
  return found.session;
}

/** Loads the session, and in parallel the data that every page needs. */
async function beginElsewhere(signal: AbortSignal): Promise<Session> {
  loadPageOf(location.pathname);
  const [found] = await Promise.all([
    call('GET /operator/v1/session', {}, { signal }),
    // Components that show the applications load them again.
    loadApplications(signal).catch(() => undefined),
  ]);
  return found;
}

/** Loads everything that the page of the address needs, if a session may exist. */
async function begin(signal: AbortSignal): Promise<true> {
  const isOverview = exec(location.pathname, PATHS.overview) !== undefined;
  session.value = await ifSignedIn(() => (isOverview ? beginWithOverview : beginElsewhere)(signal));
  return true;
}

/** All windows of a browser share one session, so they follow each other's sign-in and sign-out. */
async function followOtherWindow({ key, newValue }: StorageEvent): Promise<void> {
  if (key !== KEY) return;
  if (newValue === null) return noteNoSession();
  const found = await findSession().catch(() => undefined);
  // The next call finds out about a session that could not be loaded now.
  if (found === undefined) return;
  ending.value = undefined;
  session.value = found;
}

addEventListener('storage', followOtherWindow);

/** Sets the window's icon, once the page is loaded. */
function showIcon(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link) link.href = icon;
}

/** A sign-in link comes before the session, because it may be for another operator. */
function Screen({ found }: { readonly found: Loaded<unknown> }) {
  if (session.value === null) return <Show of={found}>{() => null}</Show>;
  return session.value && linkToken.value === undefined ? <Shell key={session.value.name} /> : <SignIn />;
}

export function App() {
  const found = useLoaded('session', begin);
  useEffect(() => {
    if (!found.isLoading) showIcon();
  }, [found.isLoading]);
  return (
    <LocationProvider scope="/dashboard">
      <Screen found={found} />
      <Toasts />
    </LocationProvider>
  );
}

import { useEffect, useRef, useState } from 'preact/hooks';
import { ErrorBoundary, Route, Router, useLocation, useRoute } from 'preact-iso';
import { call } from './api/call.ts';
import { needsCredential, noteSignedOut, session, titleOf } from './api/session.ts';
import { ApplicationChoice, useApplicationId } from './application-choice.tsx';
import { loadPagesWhenIdle, NAV, PAGES } from './pages.ts';
import { Icon } from './parts/icon.tsx';
import { LeaveGuard } from './parts/leave-guard.tsx';
import { ErrorNotice, Notice } from './parts/notice.tsx';
import { Page } from './parts/page.tsx';
import { SearchBox } from './parts/search-box.tsx';
import { ThemeChoice } from './parts/theme.tsx';
import { showToast } from './parts/toast.tsx';
import { leave } from './parts/use-draft.ts';
import { WaitingCount } from './parts/waiting-count.tsx';
import { hrefOf, PATHS } from './paths.ts';

const GROUPS = [...new Set(NAV.map(({ group }) => group))];

const isBelow = (path: string, href: string): boolean =>
  path === href || (href !== PATHS.overview && path.startsWith(`${href}/`));

/**
 * Returns the path of the list to which a page belongs. The page of a user belongs to the list of connected accounts.
 */
const listOf = (path: string): string => path.replace(/\/users\/[^/]*$/, '/connected-accounts');

function Nav() {
  const applicationId = useApplicationId();
  const path = listOf(useLocation().path);
  const entries = NAV.filter(
    (entry) => applicationId !== undefined || !entry.path.includes(':applicationId'),
  ).map((entry) => ({ ...entry, href: hrefOf(entry.path, { applicationId }) }));
  // Selects the navigation entry with the longest matching path, because one path may be a prefix of another.
  const [current] = entries
    .filter(({ href }) => isBelow(path, href))
    .sort((one, other) => other.href.length - one.href.length);
  return (
    <nav aria-label="Dashboard pages">
      {GROUPS.map((group) => (
        <section key={group}>
          {group && <h2>{group}</h2>}
          <ul>
            {entries
              .filter((entry) => entry.group === group)
              .map(({ path, href, title }) => (
                <li key={href}>
                  <a href={href} aria-current={href === current?.href ? 'page' : undefined}>
                    {title}
                    {path === PATHS.approvals && <WaitingCount applicationId={applicationId} />}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

async function signOut(): Promise<void> {
  try {
    await call('DELETE /operator/v1/session', {});
    noteSignedOut();
  } catch (error) {
    if (session.value)
      showToast(error instanceof Error ? error.message : 'Sign-out failed. Try again.', 'bad');
  }
}

const Brand = () => (
  <a class="brand" href={PATHS.overview} aria-label="Connectors">
    <Icon /> <span>Connectors</span>
  </a>
);

function CurrentOperator() {
  const { path } = useLocation();
  if (!session.value) return null;
  const { name, role } = session.value;
  return (
    <a class="who" href={PATHS.profile} aria-current={path === PATHS.profile ? 'page' : undefined}>
      <strong>{name}</strong>
      <span>{titleOf(role)} · My sign-in</span>
    </a>
  );
}

function LinkReminder() {
  const { path } = useLocation();
  if (!needsCredential() || path === PATHS.profile) return null;
  return (
    <aside class="reminder" aria-label="Reminder">
      <Notice tone="warn">
        You signed in with a one-time link. <a href={PATHS.profile}>Choose a password or add a passkey</a> to
        sign in again later.
      </Notice>
    </aside>
  );
}

/** Side bar with the navigation. Narrow screens show it as a popover. */
function Side({ isNarrow }: { readonly isNarrow: boolean }) {
  const side = useRef<HTMLElement>(null);
  const { url } = useLocation();
  useEffect(() => {
    if (isNarrow && side.current?.matches(':popover-open')) side.current.hidePopover();
  }, [url]);
  return (
    <aside class="side" id="side" ref={side} popover={isNarrow ? 'auto' : undefined} aria-label="Navigation">
      <Brand />
      {!isNarrow && <SearchBox />}
      <ApplicationChoice />
      <Nav />
      <div class="foot">
        <CurrentOperator />
        <div class="row">
          <button type="button" class="small" onClick={() => leave(signOut)}>
            Sign out
          </button>
          <ThemeChoice />
        </div>
      </div>
    </aside>
  );
}

const NARROW = matchMedia('(width < 50rem)');

function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(NARROW.matches);
  useEffect(() => {
    const update = () => setNarrow(NARROW.matches);
    NARROW.addEventListener('change', update);
    return () => NARROW.removeEventListener('change', update);
  }, []);
  return isNarrow;
}

/**
 * Pages that are rendered anew for each application. Otherwise a selection in one application, such as selected
 * accounts, would remain after a change to another application.
 */
const KEYED_PAGES = PAGES.map(({ path, component: Content }) => ({
  path,
  component: () => <Content key={useRoute().params['applicationId']} />,
}));

export function Shell() {
  const [error, setError] = useState<unknown>();
  const { url } = useLocation();
  useEffect(() => setError(undefined), [url]);
  useEffect(loadPagesWhenIdle, []);
  const isNarrow = useNarrow();
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to content
      </a>
      <LeaveGuard />
      <Side isNarrow={isNarrow} />
      <div class="main">
        <header class="bar">
          <Brand />
          {isNarrow && <SearchBox />}
          <button type="button" class="small" popovertarget="side">
            Menu
          </button>
        </header>
        <LinkReminder />
        {error === undefined ? (
          <ErrorBoundary onError={setError}>
            <Router>
              {KEYED_PAGES.map(({ path, component }) => (
                <Route key={path} path={path} component={component} />
              ))}
              <Route default component={NotFound} />
            </Router>
          </ErrorBoundary>
        ) : (
          <main class="page" id="content">
            <ErrorNotice error={error} retry={() => location.reload()} />
          </main>
        )}
      </div>
    </div>
  );
}

const NotFound = () => (
  <Page title="Page not found" about="The URL is incomplete, or the object was deleted.">
    <p>
      <a href={PATHS.overview}>Go to the overview</a>
    </p>
  </Page>
);

import { useEffect, useRef, useState } from 'preact/hooks';
import { ErrorBoundary, Route, Router, useLocation } from 'preact-iso';
import { call } from './api/call.ts';
import { session } from './api/session.ts';
import { ApplicationChoice, useApplicationId } from './application-choice.tsx';
import { NotFound } from './pages/not-found.tsx';
import { hrefOf, PAGES, type PageEntry } from './pages.ts';
import { ErrorNotice } from './parts/notice.tsx';
import { ThemeChoice } from './parts/theme.tsx';
import icon from './styles/icon.svg';

const GROUPS = [...new Set(PAGES.flatMap(({ nav }) => (nav ? [nav.group] : [])))];

function isHere(path: string, href: string): boolean {
  return path === href || (href !== '/dashboard' && path.startsWith(`${href}/`));
}

const NavLink = ({
  page,
  applicationId,
}: {
  readonly page: PageEntry;
  readonly applicationId: string | undefined;
}) => {
  const { path } = useLocation();
  const href = hrefOf(page.path, { applicationId });
  return (
    <li>
      <a href={href} aria-current={isHere(path.replace(/(.)\/$/, '$1'), href) ? 'page' : undefined}>
        {page.nav?.title}
      </a>
    </li>
  );
};

function Nav() {
  const applicationId = useApplicationId();
  const shown = PAGES.filter(({ path }) => applicationId !== undefined || !path.includes(':applicationId'));
  return (
    <nav aria-label="Pages of the dashboard">
      {GROUPS.map((group) => (
        <section key={group}>
          {group && <h2>{group}</h2>}
          <ul>
            {shown
              .filter(({ nav }) => nav?.group === group)
              .map((page) => (
                <NavLink key={page.path} page={page} applicationId={applicationId} />
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

async function signOut(): Promise<void> {
  await call('DELETE /operator/v1/session', {});
  session.value = undefined;
}

const Brand = () => (
  <a class="brand" href="/dashboard">
    <img src={icon} alt="" /> Connectors
  </a>
);

/** The pages' frame: on a narrow screen the navigation comes when asked for. */
function Side() {
  const side = useRef<HTMLElement>(null);
  const { url } = useLocation();
  const isNarrow = useNarrow();
  useEffect(() => {
    if (isNarrow && side.current?.matches(':popover-open')) side.current.hidePopover();
  }, [url]);
  return (
    <aside class="side" id="side" ref={side} popover={isNarrow ? 'auto' : undefined} aria-label="Navigation">
      <Brand />
      <ApplicationChoice />
      <Nav />
      <div class="foot">
        <ThemeChoice />
        <p class="soft">
          {session.value?.name} · {session.value?.role}
        </p>
        <button type="button" class="small" onClick={signOut}>
          Sign out
        </button>
      </div>
    </aside>
  );
}

const NARROW = matchMedia('(width < 50rem)');

function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(NARROW.matches);
  useEffect(() => {
    const hear = () => setNarrow(NARROW.matches);
    NARROW.addEventListener('change', hear);
    return () => NARROW.removeEventListener('change', hear);
  }, []);
  return isNarrow;
}

export function Shell() {
  const [error, setError] = useState<unknown>();
  const { url } = useLocation();
  useEffect(() => setError(undefined), [url]);
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the page
      </a>
      <Side />
      <div class="main">
        <div class="bar">
          <Brand />
          <button type="button" class="small" popovertarget="side">
            Menu
          </button>
        </div>
        {error === undefined ? (
          <ErrorBoundary onError={setError}>
            <Router>
              {PAGES.map(({ path, component }) => (
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

import { useEffect, useRef, useState } from 'preact/hooks';
import { ErrorBoundary, Route, Router, useLocation } from 'preact-iso';
import { call } from './api/call.ts';
import { needsWayBack, noteSignedOut, session, titleOf } from './api/session.ts';
import { ApplicationChoice, useApplicationId } from './application-choice.tsx';
import { loadPagesWhenIdle, NAV, PAGES } from './pages.ts';
import { Icon } from './parts/icon.tsx';
import { ErrorNotice, Notice } from './parts/notice.tsx';
import { Page } from './parts/page.tsx';
import { ThemeChoice } from './parts/theme.tsx';
import { say } from './parts/toast.tsx';
import { hrefOf, PATHS } from './paths.ts';

const GROUPS = [...new Set(NAV.map(({ group }) => group))];

const isWithin = (path: string, href: string): boolean =>
  path === href || (href !== '/dashboard' && path.startsWith(`${href}/`));

function Nav() {
  const applicationId = useApplicationId();
  const { path } = useLocation();
  const shown = NAV.filter(
    (entry) => applicationId !== undefined || !entry.path.includes(':applicationId'),
  ).map((entry) => ({ ...entry, href: hrefOf(entry.path, { applicationId }) }));
  // The longest address wins, because the address of one page may begin with that of another.
  const [here] = shown
    .filter(({ href }) => isWithin(path, href))
    .sort((one, other) => other.href.length - one.href.length);
  return (
    <nav aria-label="Pages of the dashboard">
      {GROUPS.map((group) => (
        <section key={group}>
          {group && <h2>{group}</h2>}
          <ul>
            {shown
              .filter((entry) => entry.group === group)
              .map(({ href, title }) => (
                <li key={href}>
                  <a href={href} aria-current={href === here?.href ? 'page' : undefined}>
                    {title}
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
    if (session.value) say(error instanceof Error ? error.message : 'Signing out failed.', 'bad');
  }
}

const Brand = () => (
  <a class="brand" href="/dashboard">
    <Icon /> Connectors
  </a>
);

function Who() {
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
  if (!needsWayBack() || path === PATHS.profile) return null;
  return (
    <aside class="reminder" aria-label="Reminder">
      <Notice tone="warn">
        You came in by a link that works only once.{' '}
        <a href={PATHS.profile}>Choose a password or add a passkey</a>, so that you can come back.
      </Notice>
    </aside>
  );
}

/** The frame of the pages. On a narrow screen the navigation is a popover. */
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
        <Who />
        <div class="row">
          <button type="button" class="small" onClick={signOut}>
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
  useEffect(loadPagesWhenIdle, []);
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the page
      </a>
      <Side />
      <div class="main">
        <header class="bar">
          <Brand />
          <button type="button" class="small" popovertarget="side">
            Menu
          </button>
        </header>
        <LinkReminder />
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

const NotFound = () => (
  <Page title="There is no such page" about="Perhaps what it showed was deleted, or the address was cut off.">
    <p>
      <a href="/dashboard">Go to the overview</a>
    </p>
  </Page>
);

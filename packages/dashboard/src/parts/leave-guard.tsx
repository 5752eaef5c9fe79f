import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PATHS } from '../paths.ts';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';
import { discardChanges, losesChanges, pendingLeave } from './use-draft.ts';

const isPlainClick = ({ button, ctrlKey, metaKey, altKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !(ctrlKey || metaKey || altKey || shiftKey);

/** Returns the path and the query of the dashboard page that a click opens in this window. */
function targetOf(event: MouseEvent): string | undefined {
  const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement && each.href !== '');
  if (!(link instanceof HTMLAnchorElement) || !isPlainClick(event)) return undefined;
  const isHere = link.origin === location.origin && link.pathname.startsWith(PATHS.overview);
  return isHere && link.target === '' && !link.hasAttribute('download')
    ? link.pathname + link.search
    : undefined;
}

/** URL of the current page, and the function that opens another page. `undefined` while nobody is signed in. */
let shown: { readonly url: string; readonly route: (target: string) => void } | undefined;

function onClick(event: MouseEvent): void {
  const target = targetOf(event);
  if (shown === undefined || target === undefined || !losesChanges(target)) return;
  const { route } = shown;
  event.preventDefault();
  event.stopPropagation();
  pendingLeave.value = () => route(target);
}

function onPopState(event: PopStateEvent): void {
  if (shown === undefined || !losesChanges(location.pathname + location.search)) return;
  // Adds the URL of the current page to the history again, because browsers cannot cancel Back and Forward.
  // `history.back()` then leads to the page that the user requested.
  event.stopImmediatePropagation();
  history.pushState(null, '', shown.url);
  pendingLeave.value = () => history.back();
}

// Registered when this file is loaded, because `popstate` listeners run in the order of their registration and the
// router must not run first.
addEventListener('popstate', onPopState);
addEventListener('click', onClick, true);

/** Asks before a link, Back or Forward closes a form with unsaved changes. */
export function LeaveGuard() {
  const { url, route } = useLocation();
  useEffect(() => {
    shown = { url, route };
    return () => {
      shown = undefined;
    };
  }, [url]);
  return pendingLeave.value && <LeaveDialog go={pendingLeave.value} />;
}

function LeaveDialog({ go }: { readonly go: () => void }) {
  const close = () => {
    pendingLeave.value = undefined;
  };
  const discard = async () => {
    close();
    discardChanges();
    go();
  };
  return (
    <Dialog title="Discard your changes?" onClose={close}>
      <Form submit="Discard changes" tone="danger" onCancel={close} onSubmit={discard}>
        <p>This page has unsaved changes.</p>
      </Form>
    </Dialog>
  );
}

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface PageProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  readonly trail?: readonly { readonly title: string; readonly href: string }[];
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/**
 * Frame of a page. `title` is also the title of the window. The heading gets the focus after navigation, for screen
 * readers.
 */
export function Page({ title, about, trail = [], actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Dashboard`;
  }, [title]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <main class="page" id="content">
      <header class="page-head">
        <div>
          {trail.length > 0 && (
            <nav class="trail" aria-label="Breadcrumb">
              {trail.map(({ title: above, href }) => (
                <span key={href}>
                  <a href={href}>{above}</a> /
                </span>
              ))}
            </nav>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about && <p class="soft">{about}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </main>
  );
}

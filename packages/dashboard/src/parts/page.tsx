import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface PageProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  readonly trail?: readonly { readonly title: string; readonly href: string }[];
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The frame of a page. Its title is also the window title, and gets the focus after navigation. */
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

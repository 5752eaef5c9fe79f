import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface PageProps {
  readonly title: string;
  /** One sentence under the title. */
  readonly about?: ComponentChildren;
  /** The pages above this one. */
  readonly trail?: readonly { readonly title: string; readonly href: string }[];
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page. Its title becomes the title of the window, and gets the focus after navigation. */
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
            <nav class="trail" aria-label="Where this is">
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

import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PATHS, withQuery } from '../paths.ts';

/** Key that moves the focus to the search field. */
const KEY = '/';

const acceptsText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'));

const isShortcut = ({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key === KEY &&
  !altKey &&
  !ctrlKey &&
  !metaKey &&
  !acceptsText(target) &&
  !document.querySelector('dialog[open]');

/** Search field for ids and users in all applications. The key `/` moves the focus to it. */
export function SearchBox() {
  const { path, query, route } = useLocation();
  const searched = path === PATHS.search ? (query['q'] ?? '') : '';
  const [text, setText] = useState(searched);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(searched), [searched]);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const search = (event: SubmitEvent) => {
    event.preventDefault();
    route(withQuery(PATHS.search, { q: text.trim() }));
  };
  return (
    <search class="find" aria-label="Search all applications">
      <form onSubmit={search}>
        <input
          ref={input}
          type="search"
          aria-label="ID or user"
          aria-keyshortcuts={KEY}
          placeholder="Search ID or user"
          autoComplete="off"
          spellcheck={false}
          required
          maxLength={256}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <kbd>{KEY}</kbd>
      </form>
    </search>
  );
}

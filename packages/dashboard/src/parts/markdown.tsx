import type { ComponentChildren } from 'preact';

const INLINE = /\*\*([^*]+)\*\*|\*([^*]+)\*|`([^`]+)`|\[([^\]]+)\]\((https:[^)\s]+)\)|<(https:[^>\s]+)>/g;

const link = (href: string, text: string) => (
  <a href={href} target="_blank" rel="noreferrer">
    {text}
  </a>
);

function inline(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, strong, emphasized, code, title, href, address] = match;
    parts.push(text.slice(end, match.index));
    if (strong) parts.push(<strong>{strong}</strong>);
    else if (emphasized) parts.push(<em>{emphasized}</em>);
    else if (code) parts.push(<code>{code}</code>);
    else if (title && href) parts.push(link(href, title));
    else if (address) parts.push(link(address, address));
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
}

function block(text: string) {
  const lines = text.split('\n');
  const steps = lines.filter((line) => /^\d+\. /.test(line));
  if (steps.length !== lines.length) return <p key={text}>{inline(text)}</p>;
  return (
    <ol key={text}>
      {steps.map((step) => (
        <li key={step}>{inline(step.slice(step.indexOf(' ') + 1))}</li>
      ))}
    </ol>
  );
}

/** Renders the Markdown of setup instructions: paragraphs, numbered steps, emphasis, code and links. */
export const Markdown = ({ text }: { readonly text: string }) => (
  <div class="prose">{text.split(/\n\n+/).map(block)}</div>
);

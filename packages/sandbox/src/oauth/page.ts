const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f3f4f6, #16181d); }
main { box-sizing: border-box; width: min(28rem, 100% - 2rem); margin: 2rem 0; padding: 2rem; border-radius: 12px;
  background: light-dark(#fff, #21242b); box-shadow: 0 1px 3px #0003; }
h1 { margin: 0 0 1rem; font-size: 1.25rem; }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; }
label { display: flex; gap: .6rem; align-items: baseline; padding: .3rem 0; }
small, code { color: light-dark(#555, #aaa); overflow-wrap: anywhere; }
.buttons { display: flex; gap: .75rem; justify-content: flex-end; }
button { font: inherit; padding: .5rem 1.25rem; border-radius: 8px; border: 1px solid light-dark(#999, #666); background: none; color: inherit; cursor: pointer; }
button[value=allow] { background: #1a56db; border-color: #1a56db; color: #fff; }
:focus-visible { outline: 3px solid #6ea8fe; outline-offset: 2px; }
`;

export function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>${content}</main></body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

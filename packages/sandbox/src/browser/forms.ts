/** A field of an HTML form. */
export interface Control {
  readonly name: string;
  readonly value: string;
  /** Input type in lower case, or `option` for an option of a select element. */
  readonly type: string;
  /** True if the form sends this value unless the caller chooses another one. */
  readonly chosen: boolean;
}

/** An HTML form of a page. */
export interface Form {
  readonly action: string;
  readonly method: 'GET' | 'POST';
  readonly controls: readonly Control[];
  readonly buttons: readonly { readonly name: string; readonly value: string }[];
}

interface Tag {
  readonly name: string;
  readonly closing: boolean;
  readonly attributes: ReadonlyMap<string, string>;
}

interface OpenForm {
  action: string;
  method: 'GET' | 'POST';
  controls: Control[];
  buttons: { name: string; value: string }[];
}

const TAG = /<(\/?)([a-zA-Z][\w-]*)(?![\w-])((?:"[^"]*"|'[^']*'|[^'">])*)>/y;
// Elements whose content is plain text up to the closing tag, so tags inside them are ignored.
const TEXTS = ['script', 'style', 'textarea', 'title'];
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

export function parseForms(html: string): Form[] {
  const forms: OpenForm[] = [];
  let open: OpenForm | undefined;
  let select: { name: string } | undefined;
  for (const tag of tags(html)) {
    if (tag.name === 'form') {
      open = tag.closing ? undefined : newForm(tag);
      if (open !== undefined) forms.push(open);
    } else if (tag.name === 'select') {
      select = tag.closing ? undefined : { name: tag.attributes.get('name') ?? '' };
    } else if (!tag.closing && open !== undefined) {
      addControl(open, tag, select?.name);
    }
  }
  return forms;
}

function attributesIn(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, key = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const lower = key.toLowerCase();
    if (!attributes.has(lower)) attributes.set(lower, decodeEntities(double ?? single ?? bare ?? ''));
  }
  return attributes;
}

/** Finds HTML tags in one pass. An unclosed comment or text element extends to the end of the page, as in a browser. */
function* tags(html: string): Generator<Tag> {
  const lowerCase = html.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      at = html.indexOf('-->', at);
      if (at === -1) return;
      continue;
    }
    TAG.lastIndex = at;
    const [whole, slash, given = '', rest = ''] = TAG.exec(html) ?? [];
    if (whole === undefined && /^<\/?[a-z]/i.test(html.slice(at, at + 3))) return;
    at += whole?.length ?? 1;
    if (whole === undefined) continue;
    const name = given.toLowerCase();
    yield { name, closing: slash === '/', attributes: attributesIn(rest) };
    if (TEXTS.includes(name) && slash === '') at = lowerCase.indexOf(`</${name}`, at);
    if (at === -1) return;
  }
}

function newForm({ attributes }: Tag): OpenForm {
  const method = attributes.get('method')?.toLowerCase() === 'post' ? 'POST' : 'GET';
  return { action: attributes.get('action') ?? '', method, controls: [], buttons: [] };
}

function addControl(form: OpenForm, { name: tag, attributes }: Tag, select: string | undefined): void {
  if (attributes.has('disabled')) return;
  const name = attributes.get('name') ?? '';
  const value = attributes.get('value') ?? '';
  const type = (attributes.get('type') ?? (tag === 'button' ? 'submit' : 'text')).toLowerCase();
  if ((tag === 'button' || tag === 'input') && type === 'submit') form.buttons.push({ name, value });
  else if (tag === 'option' && select !== undefined) {
    form.controls.push({ name: select, value, type: 'option', chosen: attributes.has('selected') });
  } else if (tag === 'input' && name !== '' && type !== 'button' && type !== 'reset') {
    const ticks = type === 'radio' || type === 'checkbox';
    const chosen = !ticks || attributes.has('checked');
    form.controls.push({ name, value: ticks && !attributes.has('value') ? 'on' : value, type, chosen });
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name.toLowerCase()] ?? whole;
  });
}

/** Returns the fields that pressing a button submits. `choices` selects radio buttons and options by field name. */
export function fillForm(
  form: Form,
  button: { name: string; value: string },
  choices: Record<string, string> = {},
): URLSearchParams {
  const sent = new URLSearchParams();
  for (const control of form.controls) {
    const choice = Object.hasOwn(choices, control.name) ? choices[control.name] : undefined;
    const single = control.type === 'radio' || control.type === 'option';
    const isSent = single && choice !== undefined ? control.value === choice : control.chosen;
    if (isSent) sent.append(control.name, control.value);
  }
  if (button.name !== '') sent.append(button.name, button.value);
  return sent;
}

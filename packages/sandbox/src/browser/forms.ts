/** A field of a form. */
export interface Control {
  readonly name: string;
  readonly value: string;
  /** `hidden`, `text`, `radio`, `checkbox`, `option`, … */
  readonly type: string;
  /** Sent unless something else is chosen. */
  readonly chosen: boolean;
}

/** A form of a page. */
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

const NOT_MARKUP = /<!--[\s\S]*?-->|<(script|style|textarea|title)\b[^>]*>[\s\S]*?<\/\1\s*>/gi;
const TAG = /<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/g;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** The forms of a page, as far as a page without script can use them. */
export function parseForms(html: string): Form[] {
  const forms: OpenForm[] = [];
  let open: OpenForm | undefined;
  let select: { name: string } | undefined;
  for (const tag of tags(html.replace(NOT_MARKUP, ''))) {
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

function* tags(html: string): Generator<Tag> {
  for (const [, slash, name = '', rest = ''] of html.matchAll(TAG)) {
    const attributes = new Map<string, string>();
    for (const [, key = '', double, single, bare] of rest.matchAll(ATTRIBUTE)) {
      const lower = key.toLowerCase();
      if (!attributes.has(lower)) attributes.set(lower, decodeEntities(double ?? single ?? bare ?? ''));
    }
    yield { name: name.toLowerCase(), closing: slash === '/', attributes };
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

/** What is sent when the button is pressed; `choices` picks radio buttons and options by name. */
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

import { cutText, type Identity } from '@svc/catalog';
import { parseObject } from './json-object.js';
import { readPointer } from './json-pointer.js';
import { isPlainText } from './plain-text.js';
import { printableLine } from './printable.js';

/** Name, workspace and picture of an account's user at the upstream. Users recognize the account by them. */
export interface ConnectedAs {
  readonly name?: string;
  readonly workspace?: string;
  /** URL of the user's picture at the upstream. It always uses https. */
  readonly pictureUrl?: string;
}

const MAX_CHARACTERS = 200;
const MAX_URL_CHARACTERS = 2048;

const isPicture = (text: string): boolean =>
  text.length <= MAX_URL_CHARACTERS && URL.parse(text)?.protocol === 'https:';

// Control characters are escaped, because users choose an account by this name. A name from an upstream must not break
// the text around it or reverse its direction.
const toName = (text: string): string => printableLine(cutText(text, MAX_CHARACTERS));

function firstText(document: unknown, pointers: readonly string[] = []): string | undefined {
  const texts = pointers.map((pointer) => readPointer(document, pointer));
  return texts.find((text): text is string => typeof text === 'string' && text !== '' && isPlainText(text));
}

/**
 * Reads name, workspace and picture from an upstream document at the connector's JSON pointers. Returns JSON for the
 * account's row, or `null` if none is found.
 */
export function readConnectedAs(identity: Identity, document: unknown): string | null {
  const name = firstText(document, identity.name);
  const workspace = firstText(document, identity.workspace);
  const picture = firstText(document, identity.picture);
  const profile: ConnectedAs = {
    ...(name !== undefined && { name: toName(name) }),
    ...(workspace !== undefined && { workspace: toName(workspace) }),
    ...(picture !== undefined && isPicture(picture) && { pictureUrl: picture }),
  };
  return Object.keys(profile).length === 0 ? null : JSON.stringify(profile);
}

/** Parses the database column that contains the result of `readConnectedAs` as JSON. */
export function connectedAsIn(column: string | null): ConnectedAs | undefined {
  return column === null ? undefined : (parseObject(column) as ConnectedAs | undefined);
}

/**
 * Describes the user at the upstream in one line, such as `ada@example.com (Acme)`. Returns `undefined` if the upstream
 * sent neither name nor workspace.
 */
export function describeConnectedAs(column: string | null): string | undefined {
  const { name, workspace } = connectedAsIn(column) ?? {};
  if (name === undefined || workspace === undefined) return name ?? workspace;
  return `${name} (${workspace})`;
}

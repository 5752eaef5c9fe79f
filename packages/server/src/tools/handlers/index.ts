import type { Handlers } from '../../generated/handlers.js';
import { calendar } from './calendar.js';
import { convintel } from './convintel.js';
import { network } from './network.js';
import { scrapermcp } from './scrapermcp.js';
import { video } from './video.js';
import { workspace } from './workspace.js';

/** Every tool that is implemented by code. The compiler asks for one that is missing. */
export const handlers: Pick<Handlers, keyof Handlers> = {
  ...calendar,
  ...convintel,
  ...network,
  ...scrapermcp,
  ...video,
  ...workspace,
};

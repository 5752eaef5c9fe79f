import type { Handlers } from '../../generated/handlers.js';
import { calendar } from './calendar/calendar.js';
import { convintel } from './convintel/convintel.js';
import { filesite } from './filesite/filesite.js';
import { network } from './network/network.js';
import { scrapermcp } from './scrapermcp/scrapermcp.js';
import { video } from './video/video.js';
import { workspace } from './workspace/workspace.js';

/** Handlers (tools written as code) by tool name. The type makes the compiler report a handler that is missing. */
export const handlers: Pick<Handlers, keyof Handlers> = {
  ...calendar,
  ...convintel,
  ...filesite,
  ...network,
  ...scrapermcp,
  ...video,
  ...workspace,
};
